"""What can go wrong between CAESAR and a model.

GatewayError
├── ProviderUnavailableError   no connection, or the server answers with a fault
│   ├── ProviderTimeoutError   it took too long
│   └── ProviderMissingError   a route names a provider that no longer exists
├── ProviderRefusedError       the key or login was not accepted
├── ModelNotFoundError         the server does not have the model
├── EmptyAnswerError           the model said nothing at all
└── UnsupportedRequestError    the provider or model cannot do what was asked
"""


class GatewayError(Exception):
    """Base of all errors of the gateway; ``provider`` names who failed."""

    def __init__(self, message: str, *, provider: str = "", model: str = "") -> None:
        super().__init__(message)
        self.provider = provider
        self.model = model


class ProviderUnavailableError(GatewayError):
    """No connection, or the server answers with a fault."""


class ProviderTimeoutError(ProviderUnavailableError):
    """The provider took too long."""


class ProviderMissingError(ProviderUnavailableError):
    """A route names a provider that no longer exists."""


class ProviderRefusedError(GatewayError):
    """The key or login was not accepted."""


class ModelNotFoundError(GatewayError):
    """The server does not have the model."""


class EmptyAnswerError(GatewayError):
    """The model said nothing at all."""


class UnsupportedRequestError(GatewayError):
    """The provider or model cannot do what was asked."""
