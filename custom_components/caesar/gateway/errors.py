"""What can go wrong between CAESAR and a model.

GatewayError
├── ProviderUnavailableError     no connection, or the server answers with a fault
│   ├── ProviderTimeoutError     it took too long
│   ├── ProviderMissingError     a route names a provider that no longer exists
│   ├── ProviderNotLoadedError   the package that talks to it could not be loaded
│   ├── ProviderOverloadedError  it has too much to do for everybody
│   └── AnswerBrokenOffError     the answer began and did not come to its end
├── RateLimitedError             this account or house has asked too much for now
├── NoCreditError                the account has no credit left
├── ProviderRefusedError         the key or login was not accepted
├── ModelNotFoundError           the server does not have the model
├── ContextTooLongError          the request is longer than the model can read
├── InputRefusedError            the model cannot take just these texts
├── EmptyAnswerError             the model said nothing at all
└── UnsupportedRequestError      the provider or model cannot do what was asked
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


class ProviderNotLoadedError(ProviderUnavailableError):
    """The package that talks to the provider could not be loaded."""


class ProviderOverloadedError(ProviderUnavailableError):
    """The provider has too much to do for everybody."""


class AnswerBrokenOffError(ProviderUnavailableError):
    """The answer began and did not come to its end."""


class RateLimitedError(GatewayError):
    """This account or house has asked too much for now.

    ``retry_after`` is the time in seconds that the provider wants to be left alone,
    None where it does not say.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NoCreditError(GatewayError):
    """The account has no credit left."""


class ProviderRefusedError(GatewayError):
    """The key or login was not accepted."""


class ModelNotFoundError(GatewayError):
    """The server does not have the model."""


class ContextTooLongError(GatewayError):
    """The request is longer than the model can read."""


class InputRefusedError(GatewayError):
    """The model cannot take just these texts; others it may."""


class EmptyAnswerError(GatewayError):
    """The model said nothing at all."""


class UnsupportedRequestError(GatewayError):
    """The provider or model cannot do what was asked."""
