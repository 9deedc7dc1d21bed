"""That lists and pages are out of date; never what is new in them."""

from typing import Any, ClassVar, Final, override

from custom_components.caesar.memory.pages import Mark

from .caller import Caller
from .command import Subscription
from .feed import RefreshingFeed


class ChangesFeed(RefreshingFeed):
    """Tells that something was added to or deleted from what the caller may see."""

    delay: ClassVar[float] = 0.2
    _mark: Mark | None = None

    @override
    async def async_begin(self, caller: Caller) -> None:
        self._mark = None
        self.send({"type": "loaded"})
        await super().async_begin(caller)

    @override
    def watch(self, caller: Caller) -> None:
        self.keep(caller.memory.database.on_write(self.async_refresh_soon))

    @override
    async def async_state(self, caller: Caller) -> dict[str, Any] | None:
        before, mark = self._mark, await caller.archive.mark(caller.permissions.sees)
        self._mark = mark
        if before in (None, mark):
            return None
        # Deleting leaves the last id as it was; it is news all the same.
        return {"type": "changed", "last_event_id": mark.last_id, "rows": mark.rows}


COMMANDS: Final = (Subscription(name="changes/subscribe", feed=ChangesFeed, schema={}),)
