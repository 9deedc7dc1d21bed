"""What an observer makes of other agents' turns, once time has passed."""

from datetime import timedelta

from freezegun.api import FrozenDateTimeFactory
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.caesar import observer

from .house import House


class Observed:
    """What the observer makes of the turns, once time has passed."""

    def __init__(self, house: House, freezer: FrozenDateTimeFactory) -> None:
        self.house = house
        self.freezer = freezer

    async def wait(self, seconds: float = observer.DELAY + 1) -> None:
        self.freezer.tick(timedelta(seconds=seconds))
        async_fire_time_changed(self.house.hass)
        await self.house.hass.async_block_till_done()

    async def learn(self) -> None:
        await self.wait()
        await self.house.learn()

    def facts(self, owner: str) -> dict[str, str]:
        facts = self.house.runtime.memory.facts_of(owner)
        return {fact.key: fact.value for fact in facts}
