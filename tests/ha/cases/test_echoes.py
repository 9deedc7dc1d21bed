"""Cases 3 to 13: what others are, what is recited, what nobody has said."""

# ruff: noqa: RUF001  other languages are written as they are

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.caesar.memory.extraction.keys import slot_of
from tests.ha.dialogue import Talk

from .dialogues import MODEL, READERS, said, town_of

OTHERS = tuple(
    said(text, language=language, believed=(("me", what, value),))
    for language, text, what, value in (
        (
            "en",
            "Jonas hates football but his dad signed him up.",
            "dislike",
            "football",
        ),
        ("en", "My friend Ines can't stand jazz.", "dislike", "jazz"),
        ("en", "My sister is allergic to cats.", "allergy", "cats"),
        ("en", "My brother lives in Ghent.", "city", "Ghent"),
        ("de", "Mein Freund Jonas hasst Fußball.", "dislike", "Fußball"),
        ("de", "Meine Schwester wohnt in Gent.", "city", "Gent"),
        ("fr", "Mon ami Jonas déteste le football.", "dislike", "football"),
        ("fr", "Ma sœur habite à Gand.", "city", "Gand"),
        ("es", "Mi amigo Jonas odia el fútbol.", "dislike", "fútbol"),
        ("es", "Mi hermana vive en Gante.", "city", "Gante"),
        ("nl", "Mijn vriend Jonas haat voetbal.", "dislike", "voetbal"),
        ("nl", "Mijn zus woont in Gent.", "city", "Gent"),
        ("pl", "Mój przyjaciel Jonas nienawidzi futbolu.", "dislike", "futbolu"),
        ("pl", "Moja siostra mieszka w Gandawie.", "city", "Gandawie"),
        ("zh", "我朋友小林讨厌足球", "dislike", "足球"),
        ("zh", "我姐姐住在成都", "city", "成都"),
        ("ja", "友達の田中はサッカーが嫌いです", "dislike", "サッカー"),
        ("zh", "我的姐姐住在成都", "city", "成都"),
        ("ja", "姉は大阪に住んでいます", "city", "大阪"),
        ("ja", "私の姉は大阪に住んでいます", "city", "大阪"),
    )
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"03-{reader}")
async def test_what_somebody_else_is_is_not_the_speakers(
    hass: HomeAssistant, socket_enabled: None, reader: str
):
    async with town_of(hass, reader) as town:
        for dialogue in OTHERS:
            robin = await town.hold(dialogue)
            own = {
                key: value
                for key, value in robin.values.items()
                if (slot := slot_of(key)) is None or slot.who == "me"
            }
            assert own == {}, dialogue


RECITED = (
    ("en", "What do you know about me?", "Your daughter was born on {}.", "3 May"),
    ("en", "Tell me about my family.", "Your daughter's birthday is {}.", "3 May"),
    ("de", "Was weißt du über mich?", "Deine Tochter hat am {} Geburtstag.", "3. Mai"),
    ("fr", "Que sais-tu de moi ?", "L'anniversaire de ta fille est le {}.", "3 mai"),
    ("es", "¿Qué sabes de mí?", "Tu hija cumple años el {}.", "3 de mayo"),
    ("nl", "Wat weet je over mij?", "Je dochter is jarig op {}.", "3 mei"),
    ("pl", "Co o mnie wiesz?", "Twoja córka ma urodziny {}.", "3 maja"),
    ("zh", "你知道我的什么？", "你女儿的生日是{}。", "5月3日"),
    ("ja", "私について何を知ってる？", "娘さんの誕生日は{}です。", "5月3日"),
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: f"05-{reader}")
async def test_what_is_recited_is_not_learned_again(
    hass: HomeAssistant, socket_enabled: None, reader: str
):
    """Neither from the answer itself, nor where a microphone hears it."""
    async with town_of(hass, reader) as town:
        for language, question, answer, value in RECITED:
            dialogue = said(
                question,
                language=language,
                known={"daughter.birthday": value},
                reply=answer.format(value),
                believed=(("daughter", "birthday", value),),
            )
            robin = await town.hold(dialogue)
            talk = Talk(town.house, robin.user, language)
            await talk.say(await talk.say(question))
            await town.house.learn()
            (told,) = town.house.runtime.memory.facts_of(robin.owner)
            events = await town.house.events(robin.owner)
            assert (told.value, told.revision, told.confidence) == (value, 1, 1.0)
            assert told.source_audit_id is None
            kinds = [event.kind for event in events]
            assert "memory.fact.confirmed" not in kinds, (dialogue, robin)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "That was never me. Forget it."),
        ("de", "Das war ich nie. Vergiss es."),
        ("fr", "Ce n'est pas moi. Oublie ça."),
        ("es", "Eso no es verdad. Olvídalo."),
        ("nl", "Dat klopt niet. Vergeet het."),
        ("pl", "To nieprawda. Zapomnij o tym."),
    ],
    ids=lambda part: f"06-{part[:2]}",
)
async def test_agreeing_that_a_fact_is_wrong_does_not_bring_it_back(
    hass: HomeAssistant, socket_enabled: None, language: str, words: str
):
    claim = "Tomas: sesame. You are Tomas, you cannot eat sesame, I agree."
    asks = {"en": "What do you know about sesame?", "de": "Was weißt du über sesame?"}
    asks |= {"fr": "Que sais-tu sur sesame ?", "es": "¿Qué sabes sobre sesame?"}
    asks |= {"nl": "Wat weet je over sesame?", "pl": "Co wiesz o sesame?"}
    dialogue = said(
        *(asks[language], words, "Okay, thank you."),
        language=language,
        known={"allergy": "sesame"},
        reply=claim,
        believed=(("me", "allergy", "sesame"),),
    )
    async with town_of(hass, MODEL) as town:
        robin = await town.hold(dialogue)
        assert robin.values == {}, robin
        told = await town.house.events(robin.owner)
        assert "memory.fact.confirmed" not in [event.kind for event in told]


NOISE = (
    ("en", "Thank you for watching."),
    ("en", "Please like and subscribe to my channel."),
    ("en", "Subtitles by the Amara.org community"),
    ("de", "Vielen Dank fürs Zuschauen."),
    ("de", "Untertitel im Auftrag des ZDF, 2020"),
    ("fr", "Merci d'avoir regardé cette vidéo !"),
    ("fr", "Sous-titres réalisés par la communauté d'Amara.org"),
    ("es", "¡Gracias por ver el video!"),
    ("es", "Subtítulos realizados por la comunidad de Amara.org"),
    ("nl", "Bedankt voor het kijken."),
    ("nl", "Ondertitels ingediend door de Amara.org gemeenschap"),
    ("pl", "Dziękuję za obejrzenie."),
    ("pl", "Napisy stworzone przez społeczność Amara.org"),
    ("zh", "谢谢观看"),
    ("zh", "请不吝点赞 订阅 转发"),
    ("ja", "ご視聴ありがとうございました。"),
    ("ja", "チャンネル登録をお願いします"),
    ("en", "[BLANK_AUDIO]"),
    ("en", "♪ ♪"),
    ("en", "."),
)


async def test_13_noise_is_not_even_shown_to_a_model(
    hass: HomeAssistant, socket_enabled: None
):
    async with town_of(hass, MODEL) as town:
        for language, text in NOISE:
            belief = ("me", "note", text)
            robin = await town.hold(said(text, language=language, believed=(belief,)))
            assert (robin.asked, robin.values) == ((), {}), text


@pytest.mark.parametrize("text", ["Hi.", "What can you do?", "Thanks!"])
async def test_10_a_house_full_of_devices_is_no_fact(
    hass: HomeAssistant, socket_enabled: None, text: str
):
    names = [f"Lamp {number}" for number in range(40)]
    assert await async_setup_component(hass, "homeassistant", {})
    for number, name in enumerate(names):
        hass.states.async_set(f"light.lamp_{number}", "on", {"friendly_name": name})
        async_expose_entity(hass, "conversation", f"light.lamp_{number}", True)
    beliefs = [("home", "have", name) for name in names[:5]]
    async with town_of(hass, MODEL, llm_hass_api=["assist"]) as town:
        robin = await town.hold(
            said(text, believed=(*beliefs, ("me", "name", "Assist")))
        )
        prompt = str(town.server.bodies[0]["messages"][0]["content"])
        assert "Lamp 39" in prompt
        assert (robin.asked, robin.values, robin.suggested) == ((), {}, frozenset())
