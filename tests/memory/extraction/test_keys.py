"""Keys of any spelling and language meet in one slot."""

import pytest

from custom_components.caesar.memory.extraction.keys import Slot, free_key, slot_of
from custom_components.caesar.memory.slots import WHAT, WHO, base_key, sibling_key


@pytest.mark.parametrize(
    ("key", "who", "what", "topic"),
    [
        ("dog.2.name", "dog", "name", ""),
        ("hund_name", "dog", "name", ""),
        ("wife_name", "partner", "name", ""),
        ("preferred_name", "me", "name", ""),
        ("address.city", "me", "city", ""),
        ("勤務先", "me", "workplace", ""),
        ("samochód", "me", "car", ""),
        ("preference.2.like", "me", "like", ""),
        ("preference.coffee", "me", "like", "coffee"),
        ("favourite.football_team", "me", "favourite", "football_team"),
        ("favourite_colour", "me", "favourite", "colour"),
    ],
)
def test_a_keys_slot(key: str, who: str, what: str, topic: str) -> None:
    assert slot_of(key) == Slot(who, what, topic)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("what", WHAT)
def test_every_key_of_our_own_leads_back_to_itself(who: str, what: str) -> None:
    for number in (1, 2):
        key = sibling_key(base_key(who, what), number)
        slot = slot_of(key)

        assert slot is not None
        assert slot.base == base_key(who, what)


def test_a_key_of_ones_own_has_no_slot_and_is_made_storable() -> None:
    assert slot_of("smoking") is None
    assert free_key(" Movie Time! ") == "movie_time"
    assert free_key("***") == ""
