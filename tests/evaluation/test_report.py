"""The page with all figures."""

import json
import sys

import pytest

from scripts.evaluation import evaluate
from scripts.evaluation.items import Labels
from scripts.evaluation.providers import Choice
from scripts.evaluation.report import measure, page, shipped_sets, take_out
from tests.gateway.ollama_server import MODEL, OllamaServer, says

from .builders import item, pattern
from .test_running import answer, fact

SETS = {
    "handed": (
        item(
            name="1",
            user="My dog's name is Beans.",
            labels=Labels(category="statement", expected=(pattern("beans"),)),
        ),
        item(
            name="2",
            language="de",
            user="Mach das Licht an.",
            labels=Labels(category="nothing_command"),
        ),
    ),
    "sealed": (
        item(
            name="3",
            user="My cat's name is Tom.",
            labels=Labels(category="nothing_media"),
        ),
    ),
}


def lines(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


async def test_the_page_tells_the_figures_of_each_set():
    measured = await measure(SETS, [Choice()], None, lambda _: None)
    text = page("scripts/evaluate report", measured, ())
    assert (
        "| handed | builtin | 100.0 % (1 of 1) | 100.0 % (1 of 1) | 0.0 % (0 of 1) "
        "| none | none | 0.0 % (0 of 2) |"
    ) in text
    assert "| sealed | builtin | 0.0 % (0 of 1) | none | 100.0 % (1 of 1)" in text
    assert lines(text, "| de |") == ["| de | 1/1 |  | 0/1 |  |"]
    assert len(lines(text, "| en |")) == 2
    assert lines(text, "| nothing_media |") == ["| nothing_media | 0/1 |  | 1/1 |  |"]
    assert "$" not in text


async def test_each_provider_has_columns_of_its_own(server: OllamaServer):
    server.replies = [says(answer(fact("dog", "name", "Beans"))), says(answer())]
    model = Choice(provider="ollama", url=server.url, model=MODEL)
    measured = await measure(SETS, [Choice(), model], None, lambda _: None)
    text = page("scripts/evaluate report", measured, ())
    assert lines(text, "| statement |") == [
        "| statement | 1/1 | 1/1 |  |  | 1/1 | 1/1 |  |  |"
    ]
    assert f"ollama {MODEL}: recall" in text
    assert server.url not in text


async def test_what_each_stage_is_worth_is_told(server: OllamaServer):
    beans = says(answer(fact("dog", "name", "Beans")))
    nothing = says(json.dumps({"kind": "order", "facts": []}))
    # Sentence files read both statements: the gate alone keeps the order from the
    # model, and without anything at all it is asked about everything.
    server.replies = [nothing, beans, nothing, beans, nothing, nothing]
    model = Choice(provider="ollama", url=server.url, model=MODEL)
    ablations = await take_out(
        {"all": (*SETS["handed"], *SETS["sealed"])}, model, None, lambda _: None
    )
    measured = await measure(SETS, [Choice()], None, lambda _: None)
    text = page("scripts/evaluate report", measured, ablations)
    assert server.replies == []
    assert lines(text, "| without the gate |")
    assert lines(text, "| the model alone |")


def test_the_shipped_sets_can_be_read() -> None:
    sets = shipped_sets()
    assert [len(items) for items in sets.values()] == [154, 112, 112]
    assert all(item.labels for items in sets.values() for item in items)
    ids = [item.id for items in sets.values() for item in items]
    assert len(ids) == len(set(ids))


def test_the_command_writes_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(evaluate, "PAGE", tmp_path / "quality.md")
    monkeypatch.setattr(evaluate, "shipped_sets", lambda: SETS)
    monkeypatch.setattr(sys, "argv", ["evaluate", "report", "--provider", "builtin"])
    assert evaluate.main() == 0
    text = (tmp_path / "quality.md").read_text("utf-8")
    assert "scripts/evaluate report --provider builtin" in text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--model", "qwen3:4b"), "needs --provider before it"),
        (("--provider", "ollama", "--model", "qwen3:4b"), "needs an address"),
    ],
)
def test_a_provider_has_to_be_described_whole(
    monkeypatch, capsys, arguments, complaint
):
    monkeypatch.setattr(sys, "argv", ["evaluate", "report", *arguments])
    with pytest.raises(SystemExit):
        evaluate.main()
    assert complaint in capsys.readouterr().err
