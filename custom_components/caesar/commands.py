"""Commands to memory in a turn: before any provider, the same for every agent.

What was asked is done in one transaction with the exchange, so that an answer never
promises what was not kept.
"""

from collections.abc import Mapping
from dataclasses import replace
import logging
from typing import Any

from homeassistant.components.conversation import ChatLog, ConversationResult
from homeassistant.core import HomeAssistant
from sqlalchemy import Connection

from .acts import ACTS
from .acts.asked import Asked, Reply
from .acts.choosing import choose
from .callers import async_may_change_household
from .const import CONF_FACTS_ENABLED, DEFAULT_FACTS_ENABLED
from .followups import FollowUp, FollowUps
from .gateway.chat_log import reply, withdraw_last as withdraw_from_log
from .gateway.commands import Act, CommandLanguage, Commands
from .gateway.sentences import SentenceFileError
from .memory.commands import record, reversals_of
from .memory.errors import MemoryStoreError
from .memory.ledger import Patch
from .memory.memory import Memory
from .memory.models import EventKind, NewEvent, Owner
from .memory.ports import Generator
from .memory.selection import told_in
from .memory.withdrawal import withdraw_last
from .speaker import SpeakerChanges
from .turns import Spoken, Turns, words_event
from .wording import Wording

_LOGGER = logging.getLogger(__name__)

_MAX_UNDO = 5
_SHORT = 20
"""Words of an answer that is about the facts which it holds."""
_CLOSED = frozenset({Act.REMEMBER, Act.KNOW_ME, Act.KNOW_HOME})
"""What is refused in words while facts are switched off."""


class MemoryCommands:
    """Hears what people say to memory itself, and does it."""

    def __init__(
        self,
        hass: HomeAssistant,
        options: Mapping[str, Any],
        *,
        memory: Memory,
        generator: Generator,
        commands: Commands,
        speakers: SpeakerChanges,
        turns: Turns,
    ) -> None:
        self._hass = hass
        self._options = options
        self._memory = memory
        self._generator = generator
        self._commands = commands
        self._speakers = speakers
        self._turns = turns
        self._facts_enabled = options.get(CONF_FACTS_ENABLED, DEFAULT_FACTS_ENABLED)
        self._followups = FollowUps()

    async def hear(self, spoken: Spoken) -> Spoken:
        """Return what was said with what it asks of memory.

        Who neither came in as a user nor through a satellite commands nothing.
        """
        language = await self._language(spoken)
        if language is None or not spoken.scope.teaches:
            return spoken
        followup = self._followups.take(
            spoken.conversation_id, spoken.scope.owner, self._memory.now()
        )
        if followup.off_record:
            return replace(spoken, recorded=False, teaches=False)
        command = language.match(spoken.user_input.text)
        return replace(
            spoken,
            command=command,
            followup=followup,
            teaches=spoken.teaches and command is None,
            recorded=command is None or command.act is not Act.OFF_RECORD,
        )

    async def answer(
        self, spoken: Spoken, chat_log: ChatLog, agent_id: str
    ) -> ConversationResult | None:
        """Do what was asked of memory; None leaves the turn to the provider."""
        language = await self._language(spoken)
        if language is None or not (spoken.command or spoken.followup.wants):
            return None
        asked = await self._asked(spoken, language)
        try:
            answered = await self._reply(asked, spoken, chat_log)
            if answered is None:
                return None
            await self._do(spoken, answered)
        except MemoryStoreError as err:
            kind = type(err).__name__
            _LOGGER.error("A command could not be done: %s", kind)  # noqa: TRY400
            answered = Reply(text=asked.wording.say("failed"))
        self._since(spoken, chat_log)
        return await reply(chat_log, spoken.user_input, agent_id, answered.text)

    def note_reply(self, spoken: Spoken, text: str) -> None:
        """Note which facts a provider's answer told, for "that's wrong".

        A long answer is about more than the facts in it.
        """
        if self._facts_enabled and len(text.split()) <= _SHORT:
            told = told_in(self._memory.facts(spoken.scope), text)
            self._followups.keep(
                spoken.conversation_id,
                spoken.scope.owner,
                FollowUp(told=tuple(fact.id for fact in told)),
                self._memory.now(),
            )

    def forget(self, owner: Owner) -> None:
        """Forget what an owner may refer to."""
        self._followups.forget(owner)

    async def _language(self, spoken: Spoken) -> CommandLanguage | None:
        try:
            return await self._commands.async_language(spoken.user_input.language)
        except SentenceFileError as err:
            # The turn is answered all the same.
            _LOGGER.error("Commands to memory are not understood: %s", err)  # noqa: TRY400
            return None

    async def _asked(self, spoken: Spoken, language: CommandLanguage) -> Asked:
        now = self._memory.now()
        return Asked(
            text=spoken.user_input.text,
            command=spoken.command,
            language=language,
            language_code=spoken.user_input.language,
            scope=spoken.scope,
            facts=[
                fact
                for fact in self._memory.facts(spoken.scope)
                if fact.expires_at is None or fact.expires_at > now
            ],
            index=self._memory.index(spoken.scope.owner),
            followup=spoken.followup,
            tentative=spoken.tentative,
            changes_household=await async_may_change_household(
                self._hass, self._options, spoken.user_input.context.user_id
            ),
            now=now,
            wording=Wording(language, self._memory.sentence),
            generator=self._generator,
        )

    async def _reply(
        self, asked: Asked, spoken: Spoken, chat_log: ChatLog
    ) -> Reply | None:
        if asked.followup.wants and (chosen := choose(asked)) is not None:
            return chosen
        if asked.command is None or asked.command.act is Act.NOTHING:
            return None
        if asked.command.act is Act.FORGET_LAST:
            return await self._forget_last(asked, spoken, chat_log)
        if asked.command.act in _CLOSED and not self._facts_enabled:
            return Reply(text=asked.wording.say("closed"))
        return await ACTS[asked.command.act](asked)

    async def _forget_last(
        self, asked: Asked, spoken: Spoken, chat_log: ChatLog
    ) -> Reply:
        """Take back what the person said last, in the log of the conversation too."""
        before = {fact.id: fact for fact in self._memory.facts_of(asked.scope.owner)}
        found: list[bool] = []

        def withdraw(connection: Connection) -> tuple[Patch, ...]:
            patches = withdraw_last(
                connection, asked.scope.owner, spoken.conversation_id
            )
            found.append(patches is not None)
            return patches or ()

        # The last answer may be so fresh that its row is still being written.
        await self._turns.written()
        patches = await self._memory.change(withdraw)
        withdraw_from_log(chat_log, self._since(spoken, chat_log))
        if not found[-1]:
            return Reply(text=asked.wording.say("last_missing"), recorded=False)
        gone = [before[patch.fact_id] for patch in patches if patch.fact_id in before]
        text = (
            asked.wording.about("last_removed_facts", gone)
            if gone
            else asked.wording.say("last_removed")
        )
        return Reply(text=text, recorded=False)

    async def _do(self, spoken: Spoken, answered: Reply) -> None:
        """Do what the reply says, with its exchange, and keep what it may lead to."""
        before = {fact.id: fact for fact in self._memory.facts(spoken.scope)}
        patches: tuple[Patch, ...] = ()
        if answered.recorded:
            event = self._event(spoken, answered)
            patches = await self._memory.change(
                lambda connection: record(
                    connection, event, answered.work, self._memory.now()
                )
            )
        reversals = spoken.followup.reversals
        if answered.undoes:
            reversals = reversals[:-1]
        elif last := reversals_of(patches, before):
            reversals = (*reversals, last)[-_MAX_UNDO:]
        told = [patch.fact_id for patch in patches if patch.fact is not None]
        followup = replace(
            answered.followup,
            told=(*answered.followup.told, *told),
            reversals=reversals,
        )
        self._followups.keep(
            spoken.conversation_id, spoken.scope.owner, followup, self._memory.now()
        )

    def _event(self, spoken: Spoken, answered: Reply) -> NewEvent:
        words = words_event(self._hass, spoken)
        return replace(
            words,
            kind=EventKind.CHAT_COMPLETED,
            assistant_text=answered.text,
            payload={
                **words.payload,
                "teaches": False,
                "command": spoken.command.act if spoken.command else "choice",
                "fact_ids": list(answered.followup.told),
            },
        )

    def _since(self, spoken: Spoken, chat_log: ChatLog) -> int:
        """Note who is speaking, so that nobody else's turn is sent to a model."""
        return self._speakers.since(
            spoken.conversation_id, spoken.scope.owner, len(chat_log.content) - 1
        )
