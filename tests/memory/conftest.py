"""A real memory on a real file, with a clock that the test moves."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import EventKind, NewEvent, Owner


class TestClock:
    """A clock that stands still until it is moved."""

    __test__ = False

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def pass_time(self, **parts: float) -> None:
        self.moment += timedelta(**parts)


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "caesar.db"


@pytest.fixture
async def memory(path: Path, clock: TestClock) -> AsyncIterator[Memory]:
    memory = Memory(path, clock=clock)
    await memory.open()
    yield memory
    await memory.close()


def spoken(text: str, owner: Owner = "user:robin", **more: object) -> NewEvent:
    return NewEvent(
        kind=EventKind.CHAT_COMPLETED,
        owner=owner,
        language="en",
        user_text=text,
        assistant_text="Okay.",
        **more,  # type: ignore[arg-type]
    )
