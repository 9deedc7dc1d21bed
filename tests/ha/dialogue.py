"""Conversations in tests: what one person says, in one conversation."""

from dataclasses import dataclass
from typing import Any

from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.memory.models import HOUSEHOLD, Owner, user_owner
from tests.ha.house import House, speech


@dataclass
class Talk:
    """One person in one conversation with CAESAR."""

    house: House
    user: MockUser | None = None
    language: str = "en"
    conversation_id: str | None = None
    satellite_id: str | None = None
    agent_id: str = "conversation.caesar"

    @property
    def owner(self) -> Owner:
        return user_owner(self.user.id) if self.user else HOUSEHOLD

    async def say(self, text: str) -> str:
        parts: dict[str, Any] = {}
        if self.satellite_id:
            parts["satellite_id"] = self.satellite_id
        result = await self.house.say(
            text,
            self.user,
            language=self.language,
            conversation_id=self.conversation_id,
            agent_id=self.agent_id,
            **parts,
        )
        self.conversation_id = result.conversation_id
        return speech(result)

    async def hear(self, *lines: str) -> str:
        """Say several things and return the last answer."""
        answer = ""
        for line in lines:
            answer = await self.say(line)
        return answer

    def values(self, owner: Owner | None = None) -> set[str]:
        facts = self.house.runtime.memory.facts_of(owner or self.owner)
        return {fact.value for fact in facts}
