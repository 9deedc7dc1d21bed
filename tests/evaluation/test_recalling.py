"""What recall finds is written from the questions alone, and scored by the evidence."""

import json
from pathlib import Path

import pytest

from scripts.evaluation.recalling import (
    answer,
    figure_lines,
    read_corpus,
    read_questions,
    write_ranked,
)

TURNS = [
    ("D1:1", 1, "Ann", "My boiler leaks again."),
    ("D1:2", 1, "Bob", "Call Kowalski, he is quick."),
    ("D1:3", 1, "Ann", "What do you read?"),
    ("D1:4", 1, "Bob", "A book about whales."),
    ("D2:1", 2, "Ann", "I planted tomatoes."),
]
QUESTIONS = [
    ("q1", "Whose boiler leaks?", "single_hop", ["D1:1"]),
    ("q2", "Who read about whales?", "multi_hop", ["D1:3", "D2:1"]),
    ("q3", "What about the submarine?", "adversarial", ["D2:1"]),
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    corpus, queries = tmp_path / "corpus.jsonl", tmp_path / "queries.jsonl"
    corpus.write_text(
        "".join(
            json.dumps(
                {
                    "conv": "c1",
                    "turn": turn,
                    "session": session,
                    "pos": pos,
                    "date": f"2023-05-0{session}T10:00",
                    "speaker": speaker,
                    "text": text,
                    "caption": "",
                }
            )
            + "\n"
            for pos, (turn, session, speaker, text) in enumerate(TURNS)
        )
    )
    queries.write_text(
        "".join(
            json.dumps(
                {
                    "id": name,
                    "conv": "c1",
                    "category": category,
                    "question": text,
                    "evidence": evidence,
                }
            )
            + "\n"
            for name, text, category, evidence in QUESTIONS
        )
    )
    return corpus, queries


async def test_each_question_gets_exchanges_and_its_share_of_the_evidence(
    files: tuple[Path, Path], tmp_path: Path
):
    corpus, queries = (read_corpus(files[0]), read_questions(files[1]))
    answers = await answer(corpus, queries)
    assert [one.ranked[:1] for one in answers] == [
        (("D1:1", "D1:2"),),
        (("D1:3", "D1:4"),),
        (),
    ]
    assert [one.share(10) for one in answers[:2]] == [1.0, 0.5]
    write_ranked(tmp_path / "out.jsonl", answers)
    first, *_ = (tmp_path / "out.jsonl").read_text().splitlines()
    assert json.loads(first)["ranked"][0] == ["D1:1", "D1:2"]
    lines = list(figure_lines(answers))
    assert lines[1].startswith("all              2  R@5 0.750")


async def test_the_same_is_found_without_the_evidence(files: tuple[Path, Path]):
    corpus, queries = (read_corpus(files[0]), read_questions(files[1]))
    with_evidence = [one.ranked for one in await answer(corpus, queries)]
    bare = [json.loads(line) for line in files[1].read_text().splitlines()]
    files[1].write_text(
        "".join(
            json.dumps({name: one[name] for name in ("id", "conv", "question")}) + "\n"
            for one in bare
        )
    )
    answers = await answer(corpus, read_questions(files[1]))
    assert [one.ranked for one in answers] == with_evidence
    assert list(figure_lines(answers))[1].startswith("No question")
