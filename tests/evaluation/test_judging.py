"""What counts as right, on exchanges made by hand."""

import pytest

from scripts.evaluation.items import Entry, Labels
from scripts.evaluation.judging import Judgement, judge
from scripts.evaluation.predictions import Written
from scripts.evaluation.scoring import Score, Share, judge_all
from scripts.evaluation.wording import says

from .builders import entries, item, pattern, prediction, written


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (pattern("smok"), "health stopped smoking"),
        (pattern("łódź"), "miasto Lodz"),
        (pattern("Straße"), "address STRASSE 5"),
        (pattern("7/seven"), "age 7"),
        (pattern("blind", "10/ten"), "wish lights ten, blinds down"),
        (pattern("北京"), "address.city 北 京"),
        (pattern("cat", never="dog"), "cat.name Tom"),
    ],
)
def test_a_text_says_it(wanted, text):
    assert says(wanted, text)


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (pattern("7"), "age 17"),
        (pattern("7"), "age 70"),
        (pattern("art"), "hobby start"),
        (pattern("blind", "10/ten"), "blinds down"),
        (pattern("cat", never="dog"), "dog.cat Tom"),
        (pattern("saab", unless="sold"), "sold the Saab"),
        (pattern("balu", unless="不在"), "Balu 不 在 了"),
    ],
)
def test_a_text_does_not_say_it(wanted, text):
    assert not says(wanted, text)


def test_a_short_marker_of_the_past_is_a_whole_word():
    assert says(pattern("saab", unless="not"), "saab nothing else")
    assert not says(pattern("saab", unless="former"), "formerly saab")


def judged(
    labels: Labels,
    *facts: Written,
    known: tuple[Entry, ...] = (),
    store: tuple[Entry, ...] | None = None,
) -> Judgement:
    one = item(known=known, labels=labels)
    return judge(one, labels, prediction(*facts, store=store))


def test_an_expected_fact_is_right_under_any_key():
    labels = Labels(category="statement", expected=(pattern("beans"),))
    result = judged(labels, *written(anything="Beans"))
    assert (result.right, result.wrong, result.missed) == (1, (), ())
    assert result.is_right


def test_each_expected_fact_counts_once():
    labels = Labels(category="statement", expected=(pattern("beans"),))
    result = judged(labels, *written(dog="Beans", note="Beans the dog"))
    assert (result.right, result.repeated, result.wrong) == (1, 1, ())


def test_one_fact_may_say_two_expected_ones():
    labels = Labels(category="multi", expected=(pattern("saga"), pattern("nine")))
    result = judged(labels, *written(daughter="Saga, nine"))
    assert (result.right, result.found) == (1, 2)


def test_a_copied_speech_is_no_fact():
    labels = Labels(category="statement", expected=(pattern("beans"),))
    result = judged(labels, *written(note="Beans " + "and so on " * 20))
    assert (result.right, len(result.wrong), result.found) == (0, 1, 0)


def test_what_may_be_stored_is_neither_right_nor_wrong():
    labels = Labels(category="statement", allowed=(pattern("nine"),))
    result = judged(labels, *written(age="nine"))
    assert (result.right, result.wrong) == (0, ())


def test_what_was_known_is_a_repetition_unless_it_is_over():
    known = entries(city="Bonn")
    kept = Labels(category="restate", kept=(pattern("bonn"),))
    assert judged(kept, *written(city="Bonn"), known=known).repeated == 1
    over = Labels(category="negation", gone=(pattern("bonn"),))
    assert len(judged(over, *written(city="Bonn"), known=known).wrong) == 1


def test_a_change_needs_the_new_without_the_old():
    labels = Labels(
        category="update", expected=(pattern("kia"),), gone=(pattern("saab"),)
    )
    facts = written(car="Kia")
    assert judged(labels, *facts).is_store_right
    both = entries(car="Kia", old="Saab")
    assert not judged(labels, *facts, store=both).lost_old
    assert not judged(labels, *facts, store=()).has_new


def test_what_should_stay_has_to_stay_and_once_where_it_was_said_again():
    labels = Labels(category="restate", kept=(pattern("bonn"),))
    assert judged(labels, store=entries(city="Bonn")).kept_rest
    assert not judged(labels, store=()).kept_rest
    assert not judged(labels, store=entries(city="Bonn", note="Bonn")).kept_rest


def test_forbidden_words_leak_in_whatever_form():
    labels = Labels(category="nothing_secret", forbidden=("48-15",))
    assert judged(labels, *written(code="4 8 1 5")).leaked
    assert not judged(labels, *written(code="48", other="15")).leaked


def test_the_figures_of_several_exchanges():
    statement = Labels(category="statement", expected=(pattern("a"), pattern("b")))
    update = Labels(category="update", expected=(pattern("c"),))
    empty = Labels(category="nothing_joke", forbidden=("secret",))
    items = [
        item(name="1", labels=statement),
        item(name="2", labels=update),
        item(name="3", labels=empty),
        item(name="4", labels=empty),
        item(name="5", labels=empty),
    ]
    told = {
        "1": prediction(*written(x="a", y="z")),
        "2": prediction(*written(x="c")),
        "3": prediction(*written(x="secret")),
        "4": prediction(error="unusable"),
    }
    predictions = [
        type(one)(id=name, facts=one.facts, store=one.store, error=one.error)
        for name, one in told.items()
    ]
    score = Score.of(judge_all(items, predictions))
    assert score.precision == Share(count=2, of=4)
    assert score.recall == Share(count=2, of=3)
    assert score.false_memories == Share(count=1, of=3)
    assert score.leaks == Share(count=1, of=3)
    assert score.updates == Share(count=1, of=1)
    # The last exchange has no prediction at all.
    assert score.output_errors == Share(count=2, of=5)
    assert score.right == Share(count=1, of=5)


def test_an_interval_lies_around_its_share():
    low, high = Share(count=9, of=10).interval
    assert (round(low, 2), round(high, 2)) == (0.6, 0.98)
