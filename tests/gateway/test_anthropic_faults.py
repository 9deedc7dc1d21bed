"""What an Anthropic server does wrong, and what becomes of it."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
import json

from aiohttp import web
import anthropic
import pytest

from custom_components.caesar.gateway.anthropic import AnthropicProvider
from custom_components.caesar.gateway.base import TextDelta
from custom_components.caesar.gateway.errors import (
    ContextTooLongError,
    ModelNotFoundError,
    NoCreditError,
    ProviderOverloadedError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
    UnsupportedRequestError,
)

from .anthropic_server import (
    CLAUDE,
    THINKER,
    Reply,
    breaks_off,
    call,
    fails,
    fails_amid,
    plain,
    says,
    sse,
)
from .faults import SECRET, answer, assert_fault, generate
from .serving import serving


@pytest.fixture
def provider(claude_provider: AnthropicProvider) -> AnthropicProvider:
    return claude_provider


TOO_LONG = f"prompt is too long: 210000 tokens > 200000 maximum: {SECRET}"
NO_CREDIT = f"Your credit balance is too low: {SECRET}"
INVALID = "invalid_request_error"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (fails(404, "not_found_error", f"model: {SECRET}"), ModelNotFoundError),
        (fails(404, "not_found_error", SECRET), UnsupportedRequestError),
        (fails(401, "authentication_error", SECRET), ProviderRefusedError),
        (fails(403, "permission_error", SECRET), ProviderRefusedError),
        (fails(400, INVALID, SECRET), UnsupportedRequestError),
        (fails(400, INVALID, TOO_LONG), ContextTooLongError),
        (fails(400, "exceed_context_size_error", SECRET), ContextTooLongError),
        (fails(413, "request_too_large", SECRET), ContextTooLongError),
        (fails(400, INVALID, NO_CREDIT), NoCreditError),
        (fails(402, "billing_error", SECRET), NoCreditError),
        (fails(429, "rate_limit_error", SECRET), RateLimitedError),
        (fails(500, "api_error", SECRET), ProviderUnavailableError),
        (fails(504, "timeout_error", SECRET), ProviderTimeoutError),
        (fails(529, "overloaded_error", SECRET), ProviderOverloadedError),
        (fails_amid("Hello", "overloaded_error", SECRET), ProviderOverloadedError),
        (fails_amid("Hello", "rate_limit_error", SECRET), RateLimitedError),
        (fails_amid("Hello", "api_error", SECRET), ProviderUnavailableError),
        (breaks_off("Hello"), ProviderUnavailableError),
        (breaks_off("Hello", reset=True), ProviderUnavailableError),
        (breaks_off(), ProviderUnavailableError),
        (plain(f"<html>{SECRET}"), ProviderUnavailableError),
        (plain(f"event: message_start\ndata: {SECRET}\n\n"), ProviderUnavailableError),
        (
            plain(f'event: message_stop\ndata: ["{SECRET}"]\n\n'),
            ProviderUnavailableError,
        ),
        (Reply(status=500, events=[json.dumps([SECRET])]), ProviderUnavailableError),
        (Reply(status=500, events=["\x00\xff"]), ProviderUnavailableError),
    ],
)
@pytest.mark.parametrize("ask", [answer, generate])
async def test_fault_is_one_of_ours_and_repeats_nothing(
    provider, claude, caplog, reply, error, ask
):
    claude.replies = [reply, reply]
    await assert_fault(ask(provider, CLAUDE), error, caplog)


async def test_a_call_that_was_cut_is_not_made(provider, claude):
    cut = call(0, "turn_on", '{"name": "la')
    claude.replies = [plain(*says().events[:1], *cut, {"type": "message_stop"})]
    with pytest.raises(ProviderUnavailableError):
        await answer(provider, CLAUDE)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ({"retry_after": "17"}, 17),
        ({"retry_after": "-1"}, 0),
        ({"retry_after": "1e9"}, 24 * 3600),
        ({"retry_after": "soon"}, None),
        ({}, None),
    ],
)
async def test_the_time_to_wait_is_told(provider, claude, header, seconds):
    claude.replies = [fails(429, "rate_limit_error", **header)]
    with pytest.raises(RateLimitedError) as caught:
        await answer(provider, CLAUDE)
    assert caught.value.retry_after == seconds


async def test_the_time_to_wait_may_be_a_moment(provider, claude):
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    claude.replies = [fails(429, "rate_limit_error", retry_after=moment)]
    with pytest.raises(RateLimitedError) as caught:
        await answer(provider, CLAUDE)
    assert caught.value.retry_after == pytest.approx(90, abs=10)


async def test_a_server_that_hangs_up_on_the_first_try_is_asked_again(
    socket_enabled, http_client
):
    tries = []

    async def flaky(request: web.Request) -> web.Response:
        tries.append(request)
        if len(tries) == 1 and request.transport:
            request.transport.abort()
        events = "".join(sse(event) for event in says("Hi").events)
        return web.Response(text=events, content_type="text/event-stream")

    async with serving(web.post("/v1/messages", flaky)) as url:
        provider = AnthropicProvider(anthropic, "key", http_client=http_client, url=url)
        assert (await answer(provider, CLAUDE))[0] == TextDelta(text="Hi")
    assert len(tries) == 2


async def test_models_are_listed_as_the_server_orders_them(provider):
    assert await provider.list_models() == [THINKER, CLAUDE]


async def test_closing_leaves_the_shared_client_open(provider, http_client):
    await provider.close()
    await provider.close()
    assert not http_client.is_closed
