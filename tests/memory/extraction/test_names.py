"""Fixed phrases give names away, and hardly anything else."""

import pytest

from custom_components.caesar.memory.extraction.names import joined, named

from .builders import candidate


@pytest.mark.parametrize(
    ("text", "who", "name", "language"),
    [
        ("My daughter Lumi has swimming.", "daughter", "Lumi", "en"),
        ("My husband's name is Ruben.", "partner", "Ruben", "en"),
        ("Our old dog, Beans, snores.", "dog", "Beans", "en"),
        ("Biscuit, that's our dog, is here.", "dog", "Biscuit", "en"),
        ("Just call me Robert.", "me", "Robert", "en"),
        ("Meine Katze heißt Mimi.", "cat", "Mimi", "de"),
        ("Ma fille Inès chante.", "daughter", "Inès", "fr"),
        ("Mijn zoon Joris fietst.", "son", "Joris", "nl"),
        ("Mi perro se llama Frijol.", "dog", "Frijol", "es"),
        ("Mam na imię Bogna.", "me", "Bogna", "pl"),
    ],
)
def test_a_name_is_found(text: str, who: str, name: str, language: str) -> None:
    (found,) = named(text, language)

    assert (found.who, found.what, found.value) == (who, "name", name)


@pytest.mark.parametrize(
    "text",
    [
        "I see my sister Friday.",
        "My house Stark sigil.",
        "My wife drives.",
        "Our kitchen Siemens oven.",
        "My boss Hank shouts.",
    ],
)
def test_what_only_looks_like_a_name_is_left(text: str) -> None:
    assert named(text, "en") == ()


def test_the_phrase_knows_better_whose_name_it_is() -> None:
    phrase = (candidate("daughter", "name", "Ida"),)
    answered = (candidate("me", "name", "Ida"), candidate("daughter", "age", "9"))

    assert joined(answered, phrase) == (*phrase, answered[1])
