"""Looking at the facts that words concern gives what looking at all of them would."""

from dataclasses import replace
import json
from pathlib import Path
from typing import Any

import pytest

from custom_components.caesar.memory.extraction.keys import slot_of
from custom_components.caesar.memory.extraction.operations import decide
from custom_components.caesar.memory.index import FactIndex
from custom_components.caesar.memory.models import Candidate, Fact
from tests.memory.extraction.builders import ALICE, fact

EXCHANGES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "evals" / "facts.fresh.jsonl")
    .read_text("utf-8")
    .splitlines()
]

BUSY = [
    ("name", "Alice"),
    ("address.city", "Ghent"),
    ("job", "nurse"),
    ("preference.like", "jazz on the balcony"),
    ("preference.like.2", "here"),
    ("preference.dislike", "olives"),
    ("allergy", "nuts"),
    ("dog.name", "Beans"),
    ("dog.2.name", "Rex"),
    ("dog.2.breed", "poodle"),
    ("cat.name", "Tom"),
    ("cat.like", "tuna"),
    ("cat.like.2", "milk"),
    ("sister.name", "Sara"),
    ("sister.city", "Bruges"),
    ("friend.name", "Jonas"),
    ("routine", "bedtime 22:30"),
    ("note", "the printer is a Brother"),
    ("swimming", "on Tuesdays"),
    ("size", "43"),
    ("car", "Saab"),
    ("preference.like.3", "喝茶"),
    ("preference.like.4", "猫"),
]
SAID = [
    "Forget my shoe size.",
    "Her name is Sanna, not Sara.",
    "No, he's called Max now.",
    "Rex is a spaniel now.",
    "I don't like olives any more.",
    "I sold the Saab and bought a Volvo.",
    "Jonas and I split up.",
    "I don't go swimming any more.",
    "My bedtime is now 23:00.",
    "No, the printer is a Canon.",
    "I don't like it here.",
    "I live in Bruges.",
    "We have no dogs any more.",
    "Wir haben keine Katze mehr.",
    "Mein Hund heißt jetzt Bello.",
    "我对花生过敏",
    "我不喝茶了",
    "我讨厌猫咪",
]
CANDIDATES = [
    Candidate(who=who, what=what, value=value, ended=ended, quote="")
    for who, what, value in [
        ("dog", "name", "Max"),
        ("dog", "breed", "spaniel"),
        ("dog", "have", "dogs"),
        ("me", "city", "Bruges"),
        ("me", "like", "olives"),
        ("me", "dislike", "here"),
        ("me", "note", "the printer is a Canon"),
        ("me", "routine", "bedtime 23:00"),
        ("me", "car", "Volvo"),
        ("sister", "name", "Sanna"),
        ("friend", "have", "Jonas"),
        ("cat", "have", "Katze"),
        ("me", "like", "茶"),
        ("me", "dislike", "猫咪"),
    ]
    for ended in (False, True)
]


def stored(*pairs: tuple[str, str]) -> list[Fact]:
    return [fact(key, value, number=n) for n, (key, value) in enumerate(pairs, 1)]


def expected(item: dict[str, Any]) -> list[Candidate]:
    """Return what a perfect model would find in an exchange."""
    found = []
    for wanted in item["expect"]:
        slot = slot_of(wanted["key_hint"])
        who, what = (slot.who, slot.what) if slot else ("me", "note")
        found.append(
            Candidate(who=who, what=what, value=wanted["value"], quote=item["user"])
        )
    return found


def assert_same(
    facts: list[Fact], candidates: list[Candidate], text: str, language: str
) -> None:
    index = FactIndex(facts)
    few = index.concerned(candidates, text, language)
    common: dict[str, Any] = {"owner": ALICE, "text": text, "language": language}
    assert decide(candidates, stored=few, taken=index.keys, **common) == decide(
        candidates, stored=facts, **common
    )


@pytest.mark.parametrize("item", EXCHANGES, ids=lambda item: item["id"])
def test_exchanges_change_the_same_among_many_facts(item: dict[str, Any]) -> None:
    known = [(one["key"], one["value"]) for one in item.get("known", ())]
    others = {key: value for key, value in BUSY if key not in dict(known)}
    for other in EXCHANGES:
        for one in other.get("known", ()):
            if one["key"] not in dict(known):
                others.setdefault(one["key"], one["value"])
    facts = stored(*known, *others.items())
    assert_same(facts, expected(item), item["user"], item["lang"])
    assert_same(facts, [], item["user"], item["lang"])


@pytest.mark.parametrize("said", SAID)
def test_words_change_the_same_with_whatever_was_found(said: str) -> None:
    for language in ("en", "de", "zh"):
        for candidate in CANDIDATES:
            quoted = replace(candidate, quote=said)
            assert_same(stored(*BUSY), [quoted], said, language)


def test_of_many_facts_few_are_looked_at() -> None:
    many = [("note" if n == 1 else f"note.{n}", f"shelf {n}") for n in range(1, 500)]
    index = FactIndex(stored(*BUSY, *many))
    found = index.concerned(CANDIDATES[:1], "My dog is called Max.", "en")
    assert {"dog.name", "dog.2.name", "dog.2.breed"} <= {one.key for one in found}
    assert len(found) < len(BUSY)


def test_what_is_dropped_is_not_found_again() -> None:
    facts = stored(*BUSY)
    index = FactIndex(facts)
    index.put(replace(facts[3], value="chess"))
    index.drop(facts[7].id)
    assert index.sharing("jazz Beans", "en") == index.sharing("it", "en")
    assert "dog.name" not in index.keys
    assert [one.value for one in index.sharing("chess", "en")][:1] == ["chess"]
