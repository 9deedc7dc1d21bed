"""Cases 51 and 52: where no fact may stand, and what is never one."""

import logging

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.json import json_dumps
import pytest
from sqlalchemy import Connection, text

from custom_components.caesar.diagnostics import async_get_config_entry_diagnostics
from custom_components.caesar.memory.database import Database
from tests.ha.house import move_in
from tests.ha.panel import CommandError, Open

from .dialogues import READERS, said, town_of

DOG = "Xylophon"


async def test_51_no_fact_is_written_where_others_look(
    hass: HomeAssistant,
    panel_of: Open,
    caplog: pytest.LogCaptureFixture,
):
    seen: list[str] = []
    hass.bus.async_listen("*", lambda event: seen.append(str(event.as_dict())))
    caplog.set_level(logging.DEBUG, "custom_components.caesar")
    house = await move_in(hass)
    robin = house.user("Robin")
    await house.ask(f"My dog's name is {DOG}.", robin)
    await house.learn()
    assert DOG in await house.ask("What's my dog's name?", robin)
    tab = await panel_of(robin)
    (fact,) = await tab.facts()
    assert fact["value"] == DOG
    seen_fact = {"fact_id": fact["id"], "revision": fact["revision"]}
    await tab.ask("facts/edit", **seen_fact, value=f"{DOG} II")
    await hass.async_block_till_done()
    report = await async_get_config_entry_diagnostics(hass, house.entry)
    logged = [
        record.getMessage()
        for record in caplog.records
        if record.name.startswith(("custom_components.caesar", "sqlalchemy"))
    ]
    for place in (str(seen), str(logged), json_dumps(report)):
        assert DOG not in place
    assert DOG not in str([state.as_dict() for state in hass.states.async_all()])


ASKED_TO_KEEP = (
    ("en", "Remember that the garage code is 4711.", "4711", "don't keep"),
    ("en", "Remember: my wifi password is BlueHeron!92", "BlueHeron", "don't keep"),
    ("en", "Remember that the spare key is under the flower pot", "pot", "don't keep"),
    ("en", "Remember my card number is 4929 1180 5512 7706", "7706", "don't keep"),
    ("de", "Merk dir, dass der Garagencode 4711 ist", "4711", "Passwörter, Codes"),
    (
        "de",
        "Merk dir: mein Passwort lautet Sonnenblume",
        "Sonnenblume",
        "Passwörter, Codes",
    ),
    ("fr", "Souviens-toi que le code du garage est 4711", "4711", ""),
    ("es", "Recuerda que el código del garaje es 4711", "4711", ""),
    ("nl", "Onthoud dat de code van de garage 4711 is", "4711", ""),
    ("pl", "Zapamiętaj, że kod do garażu to 4711", "4711", ""),
    ("zh", "记住车库密码是4711", "4711", ""),
    ("ja", "ガレージの暗証番号は4711だと覚えておいて", "4711", ""),
)
TOLD_IN_PASSING = (
    ("en", "The garage code is 4711.", "4711"),
    ("en", "My PIN is 8302, and I live in Ghent.", "8302"),
    ("de", "Der Code für die Garage ist 4711.", "4711"),
    ("fr", "Le code du garage est 4711.", "4711"),
    ("es", "El código del garaje es 4711.", "4711"),
    ("nl", "De code van de garage is 4711.", "4711"),
    ("pl", "Kod do garażu to 4711.", "4711"),
    ("zh", "车库密码是4711", "4711"),
    ("ja", "ガレージの暗証番号は4711です", "4711"),
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"52-{reader}")
async def test_a_secret_is_no_fact_even_on_request_and_the_answer_says_so(
    hass: HomeAssistant, socket_enabled: None, reader: str
):
    async with town_of(hass, reader) as town:
        withheld: dict[str, str] = {}
        for language, words, secret, answer in ASKED_TO_KEEP:
            belief = ("me", "note", words)
            robin = await town.hold(said(words, language=language, believed=(belief,)))
            assert (robin.facts, robin.suggested) == ((), frozenset()), words
            assert answer in robin.answers[0]
            assert secret not in robin.answers[0]
            withheld.setdefault(language, robin.answers[0])
            assert robin.answers[0] == withheld[language]
            kept = await everything_kept(hass, town.house.runtime.memory.database)
            assert secret not in kept
        assert len(set(withheld.values())) == 8


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"52-{reader}")
async def test_a_secret_told_in_passing_is_no_fact(
    hass: HomeAssistant, socket_enabled: None, reader: str
):
    async with town_of(hass, reader) as town:
        for language, words, secret in TOLD_IN_PASSING:
            beliefs = (("home", "note", words), ("me", "note", secret))
            robin = await town.hold(said(words, language=language, believed=beliefs))
            assert secret not in str(robin.values), words
            assert robin.suggested == frozenset()
            assert secret not in str(robin.asked)
            kept = await everything_kept(hass, town.house.runtime.memory.database)
            assert secret not in kept


async def test_52_a_secret_is_not_typed_unawares_either(
    hass: HomeAssistant, panel_of: Open
):
    house = await move_in(hass)
    robin = house.user("Robin")
    with pytest.raises(ServiceValidationError) as refused:
        await house.act(robin, "add_fact", key="note", value="The garage code is 4711")
    assert refused.value.translation_key == "secret_refused"
    tab = await panel_of(robin)
    with pytest.raises(CommandError) as warned:
        await tab.ask(
            "facts/add", owner="me", key="note", value="The garage code is 4711"
        )
    assert "secret" in warned.value.code
    assert await tab.facts() == []


async def everything_kept(hass: HomeAssistant, database: Database) -> str:
    """Return all that stands in CAESAR's file."""

    def read(connection: Connection) -> str:
        names = ("audit_log", "personal_facts")
        rows = [connection.execute(text(f"SELECT * FROM {n}")).all() for n in names]  # noqa: S608
        return str(rows)

    await hass.async_block_till_done()
    return await database.read(read)
