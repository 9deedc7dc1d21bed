"""The panel has words for all that can be in its history and its status."""

import ast
from collections.abc import Iterator
from pathlib import Path
import re
from typing import Final

from homeassistant.core import HomeAssistant

from custom_components.caesar import memory
from custom_components.caesar.const import JOB_FILE, JOB_RETENTION, JOB_SWEEP
from custom_components.caesar.memory import moving, plans, suggestions
from custom_components.caesar.memory.audit import Counts
from custom_components.caesar.memory.extraction import checks
from custom_components.caesar.memory.models import (
    ADMINS_ONLY,
    UNKNOWN_VOICE,
    EventKind,
)
from custom_components.caesar.websocket_api.events import COMMANDS, kinds_of

from .house import move_in
from .texts import english

MEMORY: Final = Path(memory.__file__).parent
# Whose functions return why something is not remembered, or None.
CHECKS: Final = {"checks.py", "clauses.py", "gate.py"}
NO_REASONS: Final = {
    "cut_off",
    "dislike",
    "favourite",
    "like",
    "reason",
    "too_large",
    "too_many_facts",
}
"""Words of the code that look like reasons; those of an import stand in no panel."""
WORD: Final = re.compile(r"[a-z]+(_[a-z]+)*")
NAMED: Final = {
    "DOUBTFUL": checks.DOUBTFUL,
    "EXPIRED": plans.EXPIRED,
    "MERGED": moving.MERGED,
    "PARTLY_HEARD": checks.PARTLY_HEARD,
    "REJECTED_BEFORE": suggestions.REJECTED_BEFORE,
    "UNSURE": checks.UNSURE,
}
KINDS: Final = [kind for kind in EventKind if kind.startswith("memory.")]


async def test_every_event_and_every_job_has_its_words(hass: HomeAssistant):
    house = await move_in(hass)
    told = english()["config_panel"]
    kinds = [kind.removeprefix("memory.").replace(".", "_") for kind in KINDS]
    jobs = [job.name for job in house.runtime.legion.jobs]
    assert [kind for kind in kinds if kind not in told["event"]] == []
    assert [job for job in jobs if job not in told["status"]["job"]] == []


def test_every_event_is_in_one_group_of_the_history():
    (listing,) = COMMANDS
    (groups,) = [v.container for k, v in listing.schema.items() if k == "group"]
    assert set(groups) < set(english()["config_panel"]["history"])
    grouped = [kind for group in groups for kind in kinds_of(group)]
    assert sorted(grouped) == sorted(KINDS)


def test_every_reason_has_its_words():
    reasons = {reason for file in MEMORY.rglob("*.py") for reason in reasons_in(file)}
    assert {"merged", "doubtful_label", "known_since", "whose_name"} <= reasons
    reasons |= {UNKNOWN_VOICE, ADMINS_ONLY}
    assert reasons - NO_REASONS - set(english()["config_panel"]["reason"]) == set()


def test_what_jobs_did_has_its_words():
    found = set(Counts.__slots__) - {"facts", "owners", "suggestions"}
    plain = {JOB_FILE, JOB_RETENTION, JOB_SWEEP}
    assert found | plain <= set(english()["config_panel"]["outcome"])


def reasons_in(file: Path) -> Iterator[str]:
    """Yield the words for why something was refused, doubted or removed."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.keyword(arg="reason" | "doubt", value=value):
                yield from words_in(value)
            case ast.Return(value=ast.expr() as value) if file.name in CHECKS:
                yield from words_in(value)


def words_in(value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        match node:
            case ast.Constant(value=str(word)) if WORD.fullmatch(word):
                yield word
            case ast.Name(id=name) if name in NAMED:
                yield NAMED[name]
