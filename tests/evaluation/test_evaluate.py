"""The command, as somebody types it."""

import json
from pathlib import Path
import sys
from typing import Any

import pytest

from scripts.evaluation.evaluate import main
from scripts.house.folder import REPOSITORY

HANDED = REPOSITORY / "evals" / "facts.handed.jsonl"
BARE = ("id", "lang", "user", "assistant", "known")
ROWS: list[dict[str, object]] = [
    {
        "id": "dog",
        "lang": "en",
        "category": "statement",
        "user": "My dog's name is Beans.",
        "assistant": "Nice.",
        "expect": [{"key_hint": "dog", "value": "Beans", "must": [["beans"]]}],
    },
    {
        "id": "gone",
        "lang": "en",
        "category": "negation",
        "user": "I sold my Saab.",
        "assistant": "Okay.",
        "known": [{"key": "car", "value": "Saab"}],
        "expect": [],
        "gone": [{"must": [["saab"]]}],
    },
    {
        "id": "katze",
        "lang": "de",
        "category": "nothing_question",
        "user": "Wie heißt meine Katze?",
        "assistant": "Das weiß ich nicht.",
        "expect": [],
    },
    {
        "id": "wrong",
        "lang": "en",
        "category": "nothing_media",
        "user": "My cat's name is Tom.",
        "assistant": "Nice.",
        "expect": [],
        "forbid": ["Tom"],
    },
]


def written(folder: Path, rows: list[dict[str, object]]) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def predictions(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def evaluate(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["evaluate", "facts", *map(str, arguments)])
    return main()


def test_figures_are_printed(tmp_path, monkeypatch, capsys):
    gold = written(tmp_path, ROWS)
    assert evaluate(monkeypatch, "--gold", gold, "--details") == 0
    printed = capsys.readouterr().out
    assert "precision          50.0 % (1 of 2)" in printed
    assert "recall             100.0 % (1 of 1)" in printed
    assert "false memories     50.0 % (1 of 2)" in printed
    assert "leaks              100.0 % (1 of 1)" in printed
    assert "updates            100.0 % (1 of 1)" in printed
    assert "\nde" in printed
    assert "\nnothing_media" in printed


def test_what_went_wrong_is_shown(tmp_path, monkeypatch, capsys):
    evaluate(monkeypatch, "--gold", written(tmp_path, ROWS), "--show")
    printed = capsys.readouterr().out
    assert "wrong en nothing_media: My cat's name is Tom." in printed
    assert "WRONG    cat.name = Tom" in printed
    assert "My dog's name" not in printed


def test_a_file_without_labels_gives_the_same_predictions(
    tmp_path, monkeypatch, capsys
):
    rows = [json.loads(line) for line in HANDED.read_text("utf-8").splitlines()[:25]]
    bare = [{name: row[name] for name in BARE if name in row} for row in rows]
    outputs = []
    for name, some in (("labelled", rows), ("bare", bare)):
        out = tmp_path / f"{name}.jsonl"
        gold = written(tmp_path, some)
        assert evaluate(monkeypatch, "--gold", gold, "--out", out) == 0
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    assert any(one["facts"] for one in predictions(out))
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "25 exchanges without labels"


def test_predictions_are_lines_with_facts_and_store(tmp_path, monkeypatch):
    out = tmp_path / "out.jsonl"
    evaluate(monkeypatch, "--gold", written(tmp_path, ROWS[:2]), "--out", out)
    told, over = predictions(out)
    (fact,) = told["facts"]
    assert (told["id"], fact["key"], fact["value"]) == ("dog", "dog.name", "Beans")
    assert 0 < fact["confidence"] <= 1
    assert told["store"] == [{"key": "dog.name", "value": "Beans"}]
    assert [fact["op"] for fact in over["facts"]] == ["delete"]
    assert over["store"] == []


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (("--limit", "1"), ["dog"]),
        (("--language", "de"), ["katze"]),
        (("--ids", "gone", "wrong"), ["gone", "wrong"]),
    ],
)
def test_exchanges_can_be_chosen(tmp_path, monkeypatch, filters, ids):
    out = tmp_path / "out.jsonl"
    gold = written(tmp_path, ROWS)
    evaluate(monkeypatch, "--gold", gold, "--out", out, *filters)
    assert [one["id"] for one in predictions(out)] == ids


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--provider", "ollama", "--model", "qwen3:4b"), "needs an address"),
        (("--provider", "anthropic"), "needs a model"),
        (("--ids", "nobody"), "no such exchange"),
    ],
)
def test_what_cannot_be_run_is_refused(
    tmp_path, monkeypatch, capsys, arguments, complaint
):
    with pytest.raises(SystemExit):
        evaluate(monkeypatch, "--gold", written(tmp_path, ROWS), *arguments)
    assert complaint in capsys.readouterr().err


def test_a_broken_line_is_named(tmp_path, monkeypatch, capsys):
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"id": "one"}\n', "utf-8")
    with pytest.raises(SystemExit):
        evaluate(monkeypatch, "--gold", gold)
    assert "gold.jsonl, line 1" in capsys.readouterr().err
