"""Languages that write no spaces and leave out who is meant, in a language of four."""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

import pytest

from custom_components.caesar.gateway.clauses import clauses, sentences
from custom_components.caesar.gateway.sentences import Sentences
from custom_components.caesar.gateway.statements import StatementReader
from custom_components.caesar.gateway.unspaced import cut_at
from custom_components.caesar.gateway.words import Phrases, WordLists
from tests.gateway.written import written

FILE = """
spaced: false
words:
  question_anywhere: [什么, 谁]
  question_end: [吗]
  tags: [是这样吗]
  listing: [、, 和, と]
  kept_together: [和牛]
  others: [她, 老板, 妹妹]
  closers: ["けど、"]
  remember_end: [と覚えて]
  tails: ["@remember_end"]
forms:
  someone:
    - {say: "我", who: me}
    - {say: "", who: unsaid}
    - {say: "我[的]{who}", named: true}
lists:
  who: {values: [{in: 妹妹, out: sister}]}
  named: {wildcard: true, max_letters: 3, refuse: [对, 住]}
  place: {wildcard: true, max_letters: 6, refuse: [的]}
  allergy: {wildcard: true, max_letters: 20, listed: true, refuse: [吗]}
statements:
  - someone: ["[现在]住在{place}"]
    facts: [{what: city, value: place}]
  - sentences: ["{allergy}アレルギー[だけど]"]
    facts: [{who: me, what: allergy, value: allergy}]
  - someone: ["对{allergy}过敏"]
    facts: [{what: allergy, value: allergy}]
"""


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sentences")
    (folder / "xx.yaml").write_text(FILE, encoding="utf-8")
    language = Sentences.load(folder).language("xx")
    assert language is not None
    reader = StatementReader(language)

    def _read(text: str) -> list[str]:
        stated = reader.read(text).statements
        for one in stated:
            assert text[one.start : one.end] == one.value
        return [written(one) for one in stated]

    return _read


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("我住在杭州。", ["me city 杭州"]),
        ("我住在杭州,对花生过敏!", ["me city 杭州", "me allergy 花生"]),
        ("我住在 Berlin，好的。", ["me city Berlin"]),
        ("我住在 Los Angeles", ["me city Los Angeles"]),
        (
            "我对花生、虾和和牛过敏。",
            ["me allergy 花生", "me allergy 虾", "me allergy 和牛"],
        ),
        ("我对花生过敏吗？", []),
        ("我对花生过敏，晚饭吃什么？", ["me allergy 花生"]),
        ("我对花生过敏，是这样吗？", []),
        ("我住在杭州的朋友家", []),
        ("卵アレルギーだけど、レシピある？", ["me allergy 卵"]),
        ("はしごは物置と覚えて", ["me note はしごは物置"]),
    ],
)
def test_words_need_no_spaces(read, text, stated):
    assert read(text) == stated


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("住在杭州。", ["me city 杭州"]),
        ("我妹妹住在杭州，对花生过敏", ["sister city 杭州", "sister allergy 花生"]),
        ("我妹妹小美住在杭州", ["sister name 小美", "sister city 杭州"]),
        ("妹妹很好，住在杭州", []),
        ("我老板很好，住在杭州", []),
        ("我搬家了，现在住在杭州", ["me city 杭州"]),
        ("我妹妹对花生过敏。住在杭州。", ["sister allergy 花生"]),
        ("我妹妹对花生过敏。我住在杭州。", ["sister allergy 花生", "me city 杭州"]),
        ("她是谁？住在杭州", []),
    ],
)
def test_who_is_not_named_is_whoever_was_spoken_of(read, text, stated):
    assert read(text) == stated


def test_sentences_and_clauses_end_at_the_marks_of_the_script():
    words = WordLists({"closers": ["けど、"]})
    text = "卵アレルギーだけど、何がある？ はい。3.5点,好!没有"
    cut = list(sentences(text, words))
    assert [one.asks for one in cut] == [True, False, False, False]
    assert [[c.span.text for c in clauses(s.span, words)] for s in cut] == [
        ["卵アレルギーだけど", "何がある"],
        ["はい"],
        ["3.5点", "好"],
        ["没有"],
    ]


def test_a_clause_may_begin_with_whom_it_speaks_of():
    words = WordLists({"openers": ["、私は"]})
    (sentence,) = sentences("夫は消防士、私は翻訳家です", words)
    assert [c.span.text for c in clauses(sentence.span, words)] == [
        "夫は消防士",
        "私は翻訳家です",
    ]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("花生和虾", ["花生", "虾"]),
        ("ピーナッツととうもろこし", ["ピーナッツ", "とうもろこし"]),
        ("りんごとみかん", ["りんごとみかん"]),
        ("犬と猫", ["犬", "猫"]),
        ("和食", ["和食"]),
    ],
)
def test_a_list_is_cut_between_words_and_not_within_them(text, items):
    marks = Phrases(["、", "和", "と"]).spans(text)
    assert [text[start:end] for start, end in cut_at(text, marks, ())] == items


def test_a_phrase_is_found_where_nothing_parts_the_words():
    phrases = Phrases(["密码", "pin", "N岁"])
    assert phrases.found_in("我的密码是")
    assert phrases.found_in("我的PIN是")
    assert phrases.found_in("他5岁了")
    assert not phrases.found_in("spinning")
    assert Phrases(["三", "岁", "半"]).make_up("三岁半")
    assert not Phrases(["三", "岁", "半"]).make_up("三岁的")
