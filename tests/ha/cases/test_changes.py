"""Cases 30 to 40: what is corrected, repeated, forgotten, and what must last."""

from datetime import datetime, timedelta

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed
from sqlalchemy import text

from custom_components.caesar.memory.errors import MemoryStoreError
from tests.ha.dialogue import Talk
from tests.ha.house import move_in

from .dialogues import MODEL, Dialogue, Turn, heard, said, town_of

CORRECTED = tuple(
    Dialogue(
        language=language,
        turns=(
            Turn(said=first, believed=((who, what, old),)),
            Turn(said=second, believed=((who, what, new),)),
        ),
        left={key: new},
    )
    for language, who, what, key, first, old, second, new in (
        (
            "en",
            "me",
            "city",
            "address.city",
            "I live in Ghent.",
            "Ghent",
            "We moved, I live in Oslo now.",
            "Oslo",
        ),
        (
            "en",
            "dog",
            "name",
            "dog.name",
            "My dog's name is Beans.",
            "Beans",
            "No, my dog's name is Rex.",
            "Rex",
        ),
        (
            "de",
            "dog",
            "name",
            "dog.name",
            "Mein Hund heißt Bohne.",
            "Bohne",
            "Nein, mein Hund heißt jetzt Rex.",
            "Rex",
        ),
        (
            "de",
            "me",
            "city",
            "address.city",
            "Ich wohne in Gent.",
            "Gent",
            "Ich wohne jetzt in Bonn.",
            "Bonn",
        ),
        (
            "fr",
            "me",
            "city",
            "address.city",
            "J'habite à Gand.",
            "Gand",
            "J'habite maintenant à Lyon.",
            "Lyon",
        ),
        (
            "es",
            "me",
            "city",
            "address.city",
            "Vivo en Gante.",
            "Gante",
            "Ahora vivo en Lugo.",
            "Lugo",
        ),
        (
            "nl",
            "me",
            "city",
            "address.city",
            "Ik woon in Gent.",
            "Gent",
            "Ik woon nu in Delft.",
            "Delft",
        ),
        (
            "pl",
            "me",
            "city",
            "address.city",
            "Mieszkam w Gdyni.",
            "Gdyni",
            "Teraz mieszkam w Łodzi.",
            "Łodzi",
        ),
        (
            "zh",
            "me",
            "city",
            "address.city",
            "我住在成都",
            "成都",
            "我现在住在西安",
            "西安",
        ),
        (
            "ja",
            "me",
            "city",
            "address.city",
            "大阪に住んでいます",
            "大阪",
            "今は京都に住んでいます",
            "京都",
        ),
    )
)
SHORTER = (
    Dialogue(
        turns=(
            Turn(
                said="My bedtime is 23:00 on weekdays and midnight at weekends.",
                believed=(
                    (
                        "me",
                        "routine",
                        "bedtime is 23:00 on weekdays and midnight at weekends",
                    ),
                ),
            ),
            Turn(
                said="My bedtime is now 22:30.",
                believed=(("me", "routine", "bedtime is now 22:30"),),
            ),
        ),
        told=("22:30",),
        gone=("23:00", "midnight"),
        readers=(MODEL,),
    ),
)
CHANGED = {"29-shorter": SHORTER, "30-corrected": CORRECTED}


@pytest.mark.parametrize(("case", "reader"), heard(CHANGED))
async def test_the_new_value_takes_the_place_of_the_old(
    hass: HomeAssistant, socket_enabled: None, case: str, reader: str
):
    async with town_of(hass, reader) as town:
        assert await town.failures(CHANGED[case]) == []


OAT_MILK = (
    "I like oat milk.",
    "By the way, I love oat milk!",
    "I really like oat milk.",
    "As I said, I like oat milk.",
    "I just love oat milk.",
    "I enjoy oat milk.",
    "I'm fond of oat milk.",
    "Well, I do like oat milk.",
)


async def test_31_what_is_said_eight_times_is_one_fact(
    hass: HomeAssistant, socket_enabled: None
):
    believed = (("me", "like", "oat milk"),)
    async with town_of(hass, MODEL) as town:
        robin = await town.hold(said(*OAT_MILK, believed=believed))
        assert list(robin.values.values()) == ["oat milk"]
        kinds = ("memory.fact.added", "memory.fact.confirmed")
        told = await town.house.events(robin.owner, *kinds)
        assert [event.kind for event in told] == [kinds[0]] + [kinds[1]] * 7


async def test_33_an_update_that_fails_keeps_the_old_value(
    hass: HomeAssistant, socket_enabled: None
):
    first, second = CORRECTED[0].turns
    async with town_of(hass, MODEL) as town:
        house, robin = town.house, town.house.user("Robin")
        talk = Talk(house, robin)
        town.server.turn = first
        await talk.say(first.said)
        await house.learn()
        database = house.runtime.memory.database
        forbid = (
            "CREATE TRIGGER forbid BEFORE INSERT ON audit_log"
            " WHEN NEW.kind = 'memory.fact.updated'"
            " BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        await database.write(lambda connection: connection.execute(text(forbid)))
        town.server.turn = second
        await talk.say(second.said)
        with pytest.raises(MemoryStoreError):
            await house.learn()
        assert talk.values() == {"Ghent"}
        assert "Ghent" in (await house.act(robin, "preview_section"))["text"]

        await database.write(lambda c: c.execute(text("DROP TRIGGER forbid")))
        await house.learn()
        assert talk.values() == {"Oslo"}


async def test_34_the_first_correction_counts_and_more_only_confirm_it(
    hass: HomeAssistant, socket_enabled: None
):
    wrong = Turn(said="My dog's name is Beans.", believed=(("dog", "name", "Beans"),))
    right = Turn(said="No, my dog's name is Rex.", believed=(("dog", "name", "Rex"),))
    async with town_of(hass, MODEL) as town:
        once = await town.hold(Dialogue(turns=(wrong, right)))
        often = await town.hold(Dialogue(turns=(wrong, *(right,) * 5)))
        for robin in (once, often):
            (dog,) = robin.facts
            assert dog.value == "Rex"
            assert dog.confidence >= 0.9
        told = await town.house.events(often.owner)
        kinds = [event.kind for event in told if event.kind.startswith("memory.fact")]
        assert (
            kinds
            == ["memory.fact.added", "memory.fact.updated"]
            + ["memory.fact.confirmed"] * 4
        )


FORGOTTEN = (
    ("en", "Forget my shoe size."),
    ("de", "Vergiss meine Schuhgröße."),
    ("fr", "Oublie ma pointure."),
    ("es", "Olvida mi número de zapato."),
    ("nl", "Vergeet mijn schoenmaat."),
    ("pl", "Zapomnij mój rozmiar buta."),
    ("zh", "忘掉我的鞋码"),
    ("ja", "私の靴のサイズを忘れて"),
)
FORGETTING = {
    "37-forgetting": tuple(
        said(
            words,
            language=language,
            believed=(("me", "note", words.rstrip(".")), ("me", "wish", words)),
        )
        for language, words in FORGOTTEN
    )
}


@pytest.mark.parametrize(("case", "reader"), heard(FORGETTING))
async def test_the_wish_to_forget_is_no_fact(
    hass: HomeAssistant, socket_enabled: None, case: str, reader: str
):
    async with town_of(hass, reader) as town:
        assert await town.failures(FORGETTING[case]) == []


LASTING = (
    "Remember that I prefer 20 degrees at night",
    "Remember that I work night shifts",
    "Remember that my friend is called Ada",
)


@pytest.mark.parametrize(
    "later",
    [timedelta(minutes=6), timedelta(days=91), timedelta(days=3650)],
    ids=lambda later: f"40-{later.days}-days",
)
async def test_what_has_no_end_does_not_end(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, later: timedelta
):
    house = await move_in(hass)
    robin = Talk(house, house.user("Robin"))
    await robin.hear(*LASTING)
    before = robin.values()
    assert len(before) == 3
    freezer.tick(later)
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert robin.values() == before
    section = (await house.act(robin.user, "preview_section"))["text"]
    assert all(value in section for value in before)
    facts = (await house.act(robin.user, "list_facts"))["facts"]
    assert [fact["expires_at"] for fact in facts] == [None] * 3


async def test_40_what_has_an_end_shows_it(hass: HomeAssistant, socket_enabled: None):
    plan = "We're going to Madeira in May."
    believed = (("me", "plan", plan.rstrip(".")),)
    async with town_of(hass, MODEL) as town:
        robin = await town.hold(said(plan, believed=believed))
        (fact,) = (await town.house.act(robin.user, "list_facts"))["facts"]
        ends = datetime.fromisoformat(fact["expires_at"])
        assert dt_util.utcnow() < ends
        assert ends.month == 6
