"""The time that a question is about, by the words that name it."""

from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given, strategies as st
import pytest

from custom_components.caesar.memory.when import when

EAST = timezone(timedelta(hours=9))
TUESDAY = datetime(2026, 12, 1, 15, 30, tzinfo=EAST)


def days(text: str, language: str, now: datetime = TUESDAY) -> tuple[str, str] | None:
    """Return the first and the last day, empty where there is none."""
    period = when(text, language, now)
    if period is None:
        return None
    first = "" if period.since is None else f"{period.since.date()}"
    last = "" if period.until is None else f"{period.until.date() - timedelta(days=1)}"
    return first, last


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What did I say on 2026-11-03?", "2026-11-03", "2026-11-03"),
        ("What did I say on June 3rd?", "2026-06-03", "2026-06-03"),
        ("What did I say on the 24th of December?", "2025-12-24", "2025-12-24"),
        ("What did I say on 3 June 2024?", "2024-06-03", "2024-06-03"),
        ("what happened three days ago", "2026-11-28", "2026-11-28"),
        ("what happened two weeks ago", "2026-11-11", "2026-11-23"),
        ("What did I say yesterday?", "2026-11-30", "2026-11-30"),
        ("What did I say the day before yesterday?", "2026-11-29", "2026-11-29"),
        ("what about the boiler this morning", "2026-12-01", ""),
        ("What did I say about the boiler last week?", "2026-11-23", "2026-11-29"),
        ("What did I say this week?", "2026-11-30", ""),
        ("What did I say last week on Thursday?", "2026-11-26", "2026-11-26"),
        ("What did we do last weekend?", "2026-11-28", "2026-11-29"),
        ("in the last ten days, who called?", "2026-11-21", ""),
        ("What did I say last month?", "2026-11-01", "2026-11-30"),
        ("What did I say in June?", "2026-06-01", "2026-06-30"),
        ("What did I say last December?", "2025-12-01", "2025-12-31"),
        ("What did I say in March 2024?", "2024-03-01", "2024-03-31"),
        ("What did I say on Monday?", "2026-11-30", "2026-11-30"),
        ("What did I say on Tuesday?", "2026-11-24", "2026-11-24"),
        ("What did I say at Christmas?", "2025-12-23", "2025-12-26"),
        ("What did I say in the summer?", "2026-06-01", "2026-08-31"),
        ("What did I say last winter?", "2026-12-01", ""),
        ("What did I say last year?", "2025-01-01", "2025-12-31"),
        ("What did I say in 2024?", "2024-01-01", "2024-12-31"),
        ("What have I said since Friday?", "2026-11-27", ""),
        ("What did I say before the summer?", "", "2026-05-31"),
        ("What did I say after the 3rd of June?", "2026-06-04", ""),
    ],
)
def test_english(text: str, first: str, last: str):
    assert days(text, "en-GB") == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "What did I say about the boiler?",
        "What may I eat?",
        "Should I march on?",
        "What will happen next week?",
        "What did I plan for next Monday?",
        "Room 2024 is cold",
        "What did I say on 2026-13-01?",
        "",
    ],
)
def test_no_time_that_has_been(text: str):
    assert when(text, "en", TUESDAY) is None


LAST_WEEK = ("2026-11-23", "2026-11-29")
YESTERDAY = ("2026-11-30", "2026-11-30")
JUNE = ("2026-06-01", "2026-06-30")
THREE_WEEKS_AGO = ("2026-11-02", "2026-11-18")
TEN_DAYS = ("2026-11-21", "")
FRIDAY = ("2026-11-27", "2026-11-27")
THIRD_OF_JUNE = ("2026-06-03", "2026-06-03")
SINCE_JUNE = ("2026-06-01", "")
LAST_YEAR = ("2025-01-01", "2025-12-31")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Was habe ich letzte Woche über den Kessel gesagt?", LAST_WEEK),
        ("de", "Was war in der letzten Woche?", LAST_WEEK),
        ("de", "Was habe ich gestern Abend gesagt?", YESTERDAY),
        ("de", "Was habe ich im Juni gesagt?", JUNE),
        ("de", "Was habe ich vor drei Wochen gesagt?", THREE_WEEKS_AGO),
        ("de", "Was war in den letzten zehn Tagen?", TEN_DAYS),
        ("de", "Was habe ich am Freitag gesagt?", FRIDAY),
        ("de", "Was habe ich am 3. Juni gesagt?", THIRD_OF_JUNE),
        ("de", "Was habe ich seit Juni gesagt?", SINCE_JUNE),
        ("de", "Was habe ich letztes Jahr gesagt?", LAST_YEAR),
        ("fr", "Qu'ai-je dit la semaine dernière sur la chaudière ?", LAST_WEEK),
        ("fr", "Qu'ai-je dit hier soir ?", YESTERDAY),
        ("fr", "Qu'ai-je dit en juin ?", JUNE),
        ("fr", "Qu'ai-je dit il y a trois semaines ?", THREE_WEEKS_AGO),
        ("fr", "Qu'ai-je dit ces dix derniers jours ?", TEN_DAYS),
        ("fr", "Qu'ai-je dit vendredi ?", FRIDAY),
        ("fr", "Qu'ai-je dit le 3 juin ?", THIRD_OF_JUNE),
        ("fr", "Qu'ai-je dit depuis juin ?", SINCE_JUNE),
        ("fr", "Qu'ai-je dit l'année dernière ?", LAST_YEAR),
        ("es", "¿Qué dije la semana pasada de la caldera?", LAST_WEEK),
        ("es", "¿Qué dije ayer?", YESTERDAY),
        ("es", "¿Qué dije en junio?", JUNE),
        ("es", "¿Qué dije hace tres semanas?", THREE_WEEKS_AGO),
        ("es", "¿Qué dije en los últimos diez días?", TEN_DAYS),
        ("es", "¿Qué dije el viernes?", FRIDAY),
        ("es", "¿Qué dije el 3 de junio?", THIRD_OF_JUNE),
        ("es", "¿Qué he dicho desde junio?", SINCE_JUNE),
        ("es", "¿Qué dije el año pasado?", LAST_YEAR),
        ("nl", "Wat zei ik vorige week over de ketel?", LAST_WEEK),
        ("nl", "Wat zei ik gisteravond?", YESTERDAY),
        ("nl", "Wat zei ik in juni?", JUNE),
        ("nl", "Wat zei ik drie weken geleden?", THREE_WEEKS_AGO),
        ("nl", "Wat zei ik de afgelopen tien dagen?", TEN_DAYS),
        ("nl", "Wat zei ik vrijdag?", FRIDAY),
        ("nl", "Wat zei ik op 3 juni?", THIRD_OF_JUNE),
        ("nl", "Wat heb ik sinds juni gezegd?", SINCE_JUNE),
        ("nl", "Wat zei ik vorig jaar?", LAST_YEAR),
        ("pl", "Co mówiłem w zeszłym tygodniu o kotle?", LAST_WEEK),
        ("pl", "Co mówiłem wczoraj wieczorem?", YESTERDAY),
        ("pl", "Co mówiłem w czerwcu?", JUNE),
        ("pl", "Co mówiłem trzy tygodnie temu?", THREE_WEEKS_AGO),
        ("pl", "Co mówiłem w ciągu ostatnich 10 dni?", TEN_DAYS),
        ("pl", "Co mówiłem w piątek?", FRIDAY),
        ("pl", "Co mówiłem 3 czerwca?", THIRD_OF_JUNE),
        ("pl", "Co mówiłem od czerwca?", SINCE_JUNE),
        ("pl", "Co mówiłem w zeszłym roku?", LAST_YEAR),
        ("zh", "我上周说过锅炉什么?", LAST_WEEK),
        ("zh", "我昨晚说了什么?", YESTERDAY),
        ("zh", "我六月说了什么?", JUNE),
        ("zh", "我三周前说了什么?", THREE_WEEKS_AGO),
        ("zh", "过去十天我说了什么?", TEN_DAYS),
        ("zh", "上周五我说了什么?", FRIDAY),
        ("zh", "我6月3日说了什么?", THIRD_OF_JUNE),
        ("zh", "六月以来我说了什么?", SINCE_JUNE),
        ("zh", "我去年说了什么?", LAST_YEAR),
        ("ja", "先週ボイラーについて何を言った?", LAST_WEEK),
        ("ja", "昨夜何を言った?", YESTERDAY),
        ("ja", "6月に何を言った?", JUNE),
        ("ja", "三週間前に何を言った?", THREE_WEEKS_AGO),
        ("ja", "過去十日間に何を言った?", TEN_DAYS),
        ("ja", "先週の金曜日に何を言った?", FRIDAY),
        ("ja", "6月3日に何を言った?", THIRD_OF_JUNE),
        ("ja", "6月以降何を言った?", SINCE_JUNE),
        ("ja", "去年何を言った?", LAST_YEAR),
    ],
)
def test_other_languages(language: str, text: str, expected: tuple[str, str]):
    assert days(text, language) == expected


def test_accents_do_not_matter():
    assert days("la semaine derniere", "fr") == LAST_WEEK


def test_a_language_without_words_knows_no_time():
    assert when("last week", "tlh", TUESDAY) is None


def test_days_begin_where_the_house_is():
    period = when("yesterday", "en", TUESDAY)
    assert period is not None
    assert period.since == datetime(2026, 11, 29, 15, tzinfo=UTC)
    assert period.until == datetime(2026, 11, 30, 15, tzinfo=UTC)


def test_last_night_goes_into_the_morning():
    period = when("What did I say last night?", "en", TUESDAY)
    assert period is not None
    assert period.since == datetime(2026, 11, 30, 18, tzinfo=EAST)
    assert period.until == datetime(2026, 12, 1, 6, tzinfo=EAST)


@pytest.mark.parametrize(
    ("language", "text", "rest"),
    [
        ("en", "the boiler last week", "the boiler"),
        ("en", "the boiler before the summer", "the boiler"),
        ("en", "the boiler last week on Thursday", "the boiler"),
        ("de", "der Kessel vor drei Wochen", "der kessel"),
        ("zh", "上周五锅炉", "锅炉"),
    ],
)
def test_the_words_for_the_time_are_told_apart(language: str, text: str, rest: str):
    period = when(text, language, TUESDAY)
    assert period is not None
    assert period.rest == rest


PIECES = [
    "last",
    "week",
    "ago",
    "999",
    "years",
    "in",
    "may",
    "9999-99-99",
    "2024",
    "31",
    "february",
    "since",
    "before",
    "monday",
    "summer",
    "二月",
    "三十一日",
    "十十年前",
    "上周",
    "去年",
    "vor",
    "neunzig",
    "jahren",
]


@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=8),
    language=st.sampled_from(["en", "de", "zh", "ja", "pl"]),
    day=st.dates(date(2000, 1, 1), date(2100, 1, 1)),
)
def test_whatever_is_asked_a_time_ends_after_it_begins(
    pieces: list[str], language: str, day: date
):
    now = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    period = when(" ".join(pieces), language, now)
    if period is None:
        return
    assert period.since is None or period.since <= now + timedelta(days=1)
    if period.since is not None and period.until is not None:
        assert period.since < period.until
