"""What becomes of any provider's fault: one of our errors, which repeats nothing."""

from collections.abc import Awaitable
import logging
import traceback
from typing import Any

import pytest

from custom_components.caesar.gateway.base import (
    Delta,
    GenerationResult,
    Provider,
)
from custom_components.caesar.gateway.errors import GatewayError

from .requests import chat, generation

SECRET = "my dog is called Beans"
"""What a person said and servers like to repeat in their errors."""


async def answer(provider: Provider, model: str, **changes: Any) -> list[Delta]:
    return [
        delta async for delta in provider.stream(chat(**{"model": model, **changes}))
    ]


async def generate(provider: Provider, model: str) -> GenerationResult:
    return await provider.generate(generation(model=model, text=SECRET))


async def assert_fault(
    asked: Awaitable[Any], error: type[GatewayError], caplog: pytest.LogCaptureFixture
) -> None:
    """Ask and expect an error that an edge may log."""
    caplog.set_level(logging.DEBUG)
    with pytest.raises(GatewayError) as caught:
        await asked
    assert type(caught.value) is error
    logging.getLogger(__name__).error("As an edge would log it", exc_info=caught.value)
    told = "".join(traceback.format_exception(caught.value))
    assert SECRET not in str(caught.value)
    assert SECRET not in told
    assert SECRET not in caplog.text
