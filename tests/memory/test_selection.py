"""Which stored facts some words mean."""

import pytest

from custom_components.caesar.memory.selection import Selection, select, told_in
from tests.memory.made import fact

STOP = {"my", "the", "about", "meine", "mein", "die", "i", "dass", "ich"}
FACTS = (
    fact("dog.name", "Beans", id=1),
    fact("dog.breed", "poodle", id=2),
    fact("dog.2.name", "Milo", id=3),
    fact("dog.2.breed", "terrier", id=4),
    fact("birthday", "3 May", id=5),
    fact("sister.birthday", "4 June", id=6),
    fact("preference.like", "oat milk", id=7),
    fact("preference.2.like", "tea", id=8),
    fact("size", "42", id=9, quote="My shoe size is 42."),
    fact("note", "Marta waters the plants", id=10),
    fact("favourite.colour", "green", id=11),
    fact("spouse.name", "Kim", id=12),
    fact("cat.name", "Luna", id=13),
    fact("have", "two cats", id=14),
)


def chosen(said: str, language: str = "en") -> Selection:
    return select(FACTS, said, language, STOP)


def ids(said: str, language: str = "en") -> list[int]:
    return [one.id for one in chosen(said, language).meant]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Beans", [1, 2]),
        ("Milo", [3, 4]),
        ("my dogs", [1, 2, 3, 4]),
        ("my dog's name", [1, 3]),
        ("my cats", [13, 14]),
        ("my birthday", [5]),
        ("birthdays", [5, 6]),
        ("my sister's birthday", [6]),
        ("my preferences", [7, 8]),
        ("oat milk", [7]),
        ("my shoe size", [9]),
        ("my wife", [12]),
        ("the plants", [10]),
        ("Martin", []),
        ("my", []),
        ("my shoes", []),
        ("black holes", []),
    ],
)
def test_words_mean_the_facts_that_hold_them_all(said, meant):
    assert ids(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [("meine Schuhgröße", [9]), ("mein Hund", [1, 2, 3, 4]), ("meine Frau", [12])],
)
def test_keys_are_met_by_the_words_of_every_language(said, meant):
    assert ids(said, "de") == meant


def test_what_shares_some_words_is_only_near():
    found = chosen("the Martin plants")
    assert (found.meant, [one.id for one in found.near]) == ((), [10])


def test_an_answer_tells_the_facts_whose_values_it_repeats():
    told = told_in(FACTS, "Green, and she drinks oat milk. Beansie too!")
    assert [one.id for one in told] == [7, 11]
