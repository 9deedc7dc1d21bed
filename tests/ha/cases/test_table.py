"""Which test holds which case; none is left out.

The numbers are those under which failures of other memories were collected.
"""

from importlib import import_module
from typing import Any

import pytest

NUMBERS = frozenset(
    {1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 15}
    | {16, 18, 19, 20, 22, 23, 25, 26, 27}
    | {29, 30, 31, 33, 34, 37, 38, 39, 40, 43, 44, 48}
    | {51, 52, 55}
)

HELD_BY = {
    1: ("test_made_up:test_nothing_is_made_up",),
    2: ("test_made_up:test_nothing_is_made_up",),
    3: ("test_echoes:test_what_somebody_else_is_is_not_the_speakers",),
    5: (
        "test_echoes:test_what_is_recited_is_not_learned_again",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    6: (
        "test_echoes:test_agreeing_that_a_fact_is_wrong_does_not_bring_it_back",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    7: (
        "test_made_up:test_nothing_is_made_up",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    9: (
        "test_made_up:test_nothing_is_made_up",
        "test_made_up:test_09_a_liking_is_kept",
    ),
    10: ("test_echoes:test_10_a_house_full_of_devices_is_no_fact",),
    11: ("test_made_up:test_nothing_is_made_up",),
    13: ("test_echoes:test_13_noise_is_not_even_shown_to_a_model",),
    15: (
        "test_made_up:test_nothing_is_made_up",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    16: ("test_lost:test_what_was_told_is_kept",),
    18: ("test_lost:test_what_was_told_is_kept",),
    19: ("test_lost:test_what_was_told_is_kept",),
    20: ("test_lost:test_what_was_told_is_kept",),
    22: ("test_models_answers:test_an_answer_in_any_wrapping_is_one_fact",),
    23: (
        "test_models_answers:test_an_empty_answer_is_asked_for_again",
        "test_models_answers:test_23_what_stays_empty_is_set_aside_and_told",
    ),
    25: (
        "test_models_answers:test_words_that_look_like_a_template_stay_as_they_are",
        "test_models_answers:test_a_model_is_shown_such_words_as_they_were_said",
    ),
    26: ("test_models_answers:test_26_as_it_comes_it_learns",),
    27: ("test_models_answers:test_27_ten_statements_at_once_are_learned_in_order",),
    29: (
        "test_changes:test_the_new_value_takes_the_place_of_the_old",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    30: (
        "test_changes:test_the_new_value_takes_the_place_of_the_old",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    31: ("test_changes:test_31_what_is_said_eight_times_is_one_fact",),
    33: ("test_changes:test_33_an_update_that_fails_keeps_the_old_value",),
    34: (
        "test_changes:test_34_the_first_correction_counts_and_more_only_confirm_it",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    37: (
        "test_changes:test_the_wish_to_forget_is_no_fact",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    38: ("test_commands:test_it_does_not_fail_as_others_did",),
    39: ("test_commands:test_it_does_not_fail_as_others_did",),
    40: (
        "test_changes:test_what_has_no_end_does_not_end",
        "test_changes:test_40_what_has_an_end_shows_it",
    ),
    43: ("test_commands:test_it_does_not_fail_as_others_did",),
    44: ("test_commands:test_44_a_mapped_voice_and_its_person_are_one",),
    48: ("test_commands:test_48_unknown_voices_share_the_home_only",),
    51: ("test_privacy:test_51_no_fact_is_written_where_others_look",),
    52: (
        "test_privacy:test_a_secret_is_no_fact_even_on_request_and_the_answer_says_so",
        "test_privacy:test_a_secret_told_in_passing_is_no_fact",
        "test_privacy:test_52_a_secret_is_not_typed_unawares_either",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
    55: (
        "test_orders:test_an_order_is_not_kept_and_unlocks_nothing",
        "test_orders:test_what_a_model_makes_of_an_order_is_not_kept",
        "test_commands:test_it_does_not_fail_as_others_did",
    ),
}


def test_every_case_has_a_row():
    assert set(HELD_BY) == NUMBERS


@pytest.mark.parametrize("number", sorted(HELD_BY))
def test_the_tests_of_a_case_carry_its_number(number: int):
    for place in HELD_BY[number]:
        module, _, name = place.partition(":")
        test = getattr(import_module(f"tests.ha.cases.{module}"), name)
        assert number in numbers_of(test), place


def numbers_of(test: Any) -> set[int]:
    """Return the numbers that the ids of a test carry."""
    names = [test.__name__.removeprefix("test_")]
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize":
            names += map(str, ids_of(*mark.args, **mark.kwargs))
    return {int(name[:2]) for name in names if name[:2].isdigit()}


def ids_of(_: Any, values: Any, *, ids: Any = None) -> Any:
    """Return the ids of a parametrized test, of several parts by the first."""
    if ids is None:
        return [value if isinstance(value, str) else value[0] for value in values]
    if not callable(ids):
        return ids
    firsts = [value[0] if isinstance(value, tuple) else value for value in values]
    return [ids(first) for first in firsts]
