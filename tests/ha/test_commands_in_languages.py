"""Remembering, telling, forgetting and undoing in Polish, Chinese and Japanese."""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from homeassistant.core import HomeAssistant
import pytest

from tests.ha.dialogue import Talk
from tests.ha.house import move_in


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
