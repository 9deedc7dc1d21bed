"""What the agent sees: the section of the caller's next turn, live."""

from datetime import datetime
from typing import Any, ClassVar, Final, override

from homeassistant.core import CALLBACK_TYPE, callback
from homeassistant.helpers.event import async_track_point_in_time
import voluptuous as vol

from custom_components.caesar.memory.ledger import Patch

from .caller import Caller
from .command import Subscription
from .feed import RefreshingFeed


class SectionFeed(RefreshingFeed):
    """The section, told again when facts change or a plan ends."""

    delay: ClassVar[float] = 0.1
    _ending: CALLBACK_TYPE | None = None

    @override
    def watch(self, caller: Caller) -> None:
        self.keep(caller.memory.on_change(self._changed))
        self.keep(self._unwatch_end)
        self._watch_next_end(caller)

    @override
    async def async_state(self, caller: Caller) -> dict[str, Any]:
        runtime = caller.runtime
        text = self.request["text"]
        section = runtime.section(caller.scope, text, caller.language)
        return {
            "type": "section",
            "facts_enabled": runtime.facts_enabled,
            "text": section.text,
            "fact_ids": list(section.fact_ids),
            "facts_total": section.total,
            "max_facts": runtime.caps.facts,
            "characters": len(section.text),
            "max_characters": runtime.caps.characters,
        }

    @callback
    def _changed(self, patches: tuple[Patch, ...]) -> None:
        caller = self.caller
        if caller is None:
            return
        if any(patch.owner in caller.scope.visible for patch in patches):
            self.async_refresh_soon()
            self._watch_next_end(caller)

    @callback
    def _watch_next_end(self, caller: Caller) -> None:
        """Refresh when the next dated plan ends: it goes without a change."""
        self._unwatch_end()
        now = caller.memory.now()
        ends = (fact.expires_at for fact in caller.memory.facts(caller.scope))
        end = min((end for end in ends if end is not None and end > now), default=None)
        if end is None:
            return

        @callback
        def ended(_: datetime) -> None:
            self._ending = None
            self.async_refresh_soon()
            self._watch_next_end(caller)

        self._ending = async_track_point_in_time(self.hass, ended, end)

    @callback
    def _unwatch_end(self) -> None:
        if self._ending is not None:
            self._ending()
            self._ending = None


COMMANDS: Final = (
    Subscription(
        name="section/subscribe",
        feed=SectionFeed,
        schema={
            vol.Optional("text", default=""): vol.All(str, vol.Length(max=4000)),
        },
    ),
)
