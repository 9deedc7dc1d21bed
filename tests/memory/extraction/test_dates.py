"""Until when a plan holds, by the words that tell of it."""

from datetime import date, timedelta

from hypothesis import given, strategies as st
import pytest

from custom_components.caesar.memory.extraction.dates import end_of

MONDAY = date(2026, 11, 30)
WORDS = [
    "in",
    "on",
    "the",
    "31",
    "30th",
    "February",
    "may",
    "next",
    "week",
    "month",
    "tomorrow",
    "99.",
    "2027",
    "of",
    "9999999",
    "weeks",
    "friday",
    "3.13.",
    "summer",
    "十月",
    "三十一日",
    "十十周后",
]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("We're going to Madeira in May", date(2027, 5, 31)),
        ("we fly to Oslo in December", date(2026, 12, 31)),
        ("We move in November", date(2026, 11, 30)),
        ("Our wedding is on 14 September", date(2027, 9, 14)),
        ("the exam is on December 3rd", date(2026, 12, 3)),
        ("the party is on the 3rd of December, 2027", date(2027, 12, 3)),
        ("my flight is on 2027-02-28", date(2027, 2, 28)),
        ("we're in Rome from 3 to 10 May", date(2027, 5, 10)),
        ("dentist on Friday", date(2026, 12, 4)),
        ("dentist on Monday", date(2026, 12, 7)),
        ("dentist tomorrow", date(2026, 12, 1)),
        ("dentist the day after tomorrow", date(2026, 12, 2)),
        ("we get a puppy in three weeks", date(2026, 12, 21)),
        ("we visit Ann this weekend", date(2026, 12, 6)),
        ("we visit Ann next week", date(2026, 12, 13)),
        ("we renovate next month", date(2026, 12, 31)),
        ("I retire next year", date(2027, 12, 31)),
        ("we sail to Crete next summer", date(2027, 8, 31)),
        ("we go skiing this winter", date(2027, 2, 28)),
        ("we visit my parents at Christmas", date(2026, 12, 26)),
        # The day counts, whatever else is said.
        ("on Friday 18 December we fly", date(2026, 12, 18)),
        # The month is right at least.
        ("the exam is on the 31st of June", date(2027, 6, 30)),
        # No end, or none that could be known.
        ("we're going to Madeira one day", None),
        ("we visit my parents every Christmas", None),
        ("I play chess on Fridays", None),
        ("we were in Rome on 2026-05-03", None),
        ("we colonise Mars in 500 weeks", None),
    ],
)
def test_english(text, end):
    assert end_of(text, MONDAY, "en-GB") == end


@pytest.mark.parametrize(
    ("language", "text", "end"),
    [
        ("es", "Vamos a Madeira en mayo", date(2027, 5, 31)),
        ("es", "Mi operación es el 12 de marzo de 2027", date(2027, 3, 12)),
        ("es", "Tengo dentista el viernes", date(2026, 12, 4)),
        ("es", "Nos mudamos el año que viene", date(2027, 12, 31)),
        ("es", "Los viernes juego al pádel", None),
        ("fr", "On part à Madère en mai", date(2027, 5, 31)),
        ("fr", "Mon opération est le 1er mars", date(2027, 3, 1)),
        ("fr", "J'ai dentiste vendredi", date(2026, 12, 4)),
        ("fr", "On va à Rome dans trois semaines", date(2026, 12, 21)),
        ("fr", "J'ai été opéré", None),
        ("fr", "Le vendredi je fais du yoga", None),
        ("nl", "We vliegen in mei naar Madeira", date(2027, 5, 31)),
        ("nl", "Mijn operatie is op 12 maart", date(2027, 3, 12)),
        ("nl", "We verhuizen over twee weken", date(2026, 12, 14)),
        ("nl", "Elke vrijdag heb ik yoga", None),
        ("pl", "W maju lecimy na Maderę", date(2027, 5, 31)),
        ("pl", "Moja operacja jest 12 marca 2028", date(2028, 3, 12)),
        ("pl", "W piątek mam dentystę", date(2026, 12, 4)),
        ("pl", "Przeprowadzamy się za dwa tygodnie", date(2026, 12, 14)),
        ("pl", "Co piątek mam jogę", None),
        ("zh", "我们五月要去马德拉", date(2027, 5, 31)),
        ("zh", "我的手术在3月12日", date(2027, 3, 12)),
        ("zh", "婚礼在2028年十月二十一号", date(2028, 10, 21)),
        ("zh", "我们十二月去日本", date(2026, 12, 31)),
        ("zh", "周五看牙医", date(2026, 12, 4)),
        ("zh", "我们三个星期后搬家", date(2026, 12, 21)),
        ("zh", "下个月我去上海", date(2026, 12, 31)),
        ("zh", "我每周五练瑜伽", None),
        ("ja", "五月にマデイラ島に行きます", date(2027, 5, 31)),
        ("ja", "手術は3月12日です", date(2027, 3, 12)),
        ("ja", "結婚式は2028年十月二十一日です", date(2028, 10, 21)),
        ("ja", "二週間後に引っ越します", date(2026, 12, 14)),
        ("ja", "夏休みに北海道に行きます", date(2027, 8, 31)),
        ("ja", "毎週金曜日はヨガです", None),
    ],
)
def test_other_languages(language, text, end):
    assert end_of(text, MONDAY, language) == end


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Wir fliegen im Mai nach Madeira", date(2027, 5, 31)),
        ("Meine Operation ist am 12. März", date(2027, 3, 12)),
        ("Die Prüfung ist am 3.12.", date(2026, 12, 3)),
        ("Die Prüfung ist am 3.12.2027", date(2027, 12, 3)),
        ("Ich habe am Freitag einen Zahnarzttermin", date(2026, 12, 4)),
        ("Morgen kommt der Klempner", date(2026, 12, 1)),
        ("Übermorgen kommt der Klempner", date(2026, 12, 2)),
        ("In drei Wochen bekommen wir einen Welpen", date(2026, 12, 21)),
        ("Nächste Woche fahren wir nach Rom", date(2026, 12, 13)),
        ("Im Sommer fahren wir nach Kreta", date(2027, 8, 31)),
        ("An Silvester sind wir in Wien", date(2026, 12, 31)),
        ("Jeden Freitag spiele ich Schach", None),
        ("Freitags gehe ich schwimmen", None),
    ],
)
def test_german(text, end):
    assert end_of(text, MONDAY, "de") == end


def test_a_month_that_has_begun_ends_this_year_and_one_that_is_over_the_next():
    spring = date(2028, 2, 1)
    assert end_of("in February", spring, "en") == date(2028, 2, 29)
    assert end_of("in January", spring, "en") == date(2029, 1, 31)


def test_a_language_without_a_calendar_knows_no_end():
    assert end_of("Menemme toukokuussa Madeiralle", MONDAY, "fi") is None
    assert end_of("tlhIngan 2027-02-28", MONDAY, "tlh") is None


@given(
    text=st.text(max_size=60)
    | st.lists(
        st.sampled_from(WORDS),
        max_size=8,
    ).map(" ".join),
    days=st.integers(0, 20_000),
    language=st.sampled_from(["en", "de", "pl", "zh", "ja"]),
)
def test_no_words_make_a_plan_end_in_the_past_or_do_harm(text, days, language):
    today = date(2020, 1, 1) + timedelta(days=days)
    end = end_of(text, today, language)
    assert end is None or end >= today
