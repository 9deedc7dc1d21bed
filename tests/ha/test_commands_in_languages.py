"""Commands to memory in Polish, Chinese and Japanese, and without their file."""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from pathlib import Path

from homeassistant.core import HomeAssistant
import pytest

from custom_components.caesar.gateway.commands import Commands

from .dialogue import Talk
from .house import House, move_in


@pytest.mark.parametrize(
    ("language", "remember", "remembered", "know", "forget", "undo", "value"),
    [
        (
            "pl",
            "Zapamiętaj, że mój pies nazywa się Fasolka.",
            "Dobrze, zapamiętam: „mój pies nazywa się Fasolka”.",
            "Co wiesz o moim psie?",
            "Zapomnij wszystko o moim psie.",
            "Cofnij to.",
            "Fasolka",
        ),
        (
            "zh-Hans",
            "记住我的狗叫豆豆。",
            "好的，我记住了：“我的狗叫豆豆”。",
            "你对我的狗了解多少？",
            "忘掉我的狗。",
            "撤销刚才的操作。",
            "豆豆",
        ),
        (
            "ja",
            "犬の名前はポチだと覚えておいて。",
            "わかりました。覚えておきます：「犬の名前はポチだ」。",
            "ポチについて何を知ってる？",
            "犬の名前を忘れて。",
            "元に戻して。",
            "ポチ",
        ),
    ],
)
async def test_it_works_in_other_languages(  # noqa: PLR0917
    hass: HomeAssistant, language, remember, remembered, know, forget, undo, value
):
    house = await move_in(hass)
    robin = Talk(house, house.user("Robin"), language=language)
    assert await robin.say(remember) == remembered
    assert robin.values() == {value}
    assert value in await robin.say(know)
    await robin.say(forget)
    assert robin.values() == set()
    assert value in await robin.say(undo)
    assert robin.values() == {value}


async def test_a_broken_file_costs_the_commands_and_no_answer(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "en.yaml").write_text("commands: []", encoding="utf-8")
    monkeypatch.setattr(house.runtime.commands, "_commands", Commands.load(tmp_path))
    talk = Talk(house, house.user("Robin"))
    assert await talk.hear("My dog's name is Beans.") == "Okay, I'll remember that."
