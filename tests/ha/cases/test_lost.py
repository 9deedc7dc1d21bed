"""Cases 16 to 27: what was told and must not be lost."""

# ruff: noqa: RUF001  other languages are written as they are

from homeassistant.core import HomeAssistant
import pytest

from .dialogues import MODEL, heard, said, town_of

ALLERGIES = (
    ("en", "I'm allergic to peanuts.", "peanuts"),
    ("de", "Ich bin gegen Erdnüsse allergisch.", "Erdnüsse"),
    ("fr", "Je suis allergique aux arachides.", "arachides"),
    ("es", "Soy alérgica a los cacahuetes.", "cacahuetes"),
    ("nl", "Ik ben allergisch voor pinda's.", "pinda's"),
    ("pl", "Mam alergię na orzeszki.", "orzeszki"),
    ("zh", "我对花生过敏", "花生"),
    ("ja", "ピーナッツアレルギーです", "ピーナッツ"),
)
SHORT = tuple(
    said(
        text,
        language=language,
        believed=(("me", "allergy", value),),
        left={"allergy": value},
    )
    for language, text, value in ALLERGIES
) + tuple(
    said(
        text,
        language=language,
        believed=(("me", what, value),),
        left={key: value},
    )
    for language, text, what, key, value in (
        ("en", "I'm vegan.", "diet", "diet", "vegan"),
        ("en", "I'm a nurse.", "job", "job", "nurse"),
        ("de", "Ich bin Veganerin.", "diet", "diet", "Veganerin"),
        ("fr", "Je suis végétarienne.", "diet", "diet", "végétarienne"),
        ("es", "Soy vegetariano.", "diet", "diet", "vegetariano"),
        ("nl", "Ik ben vegetariër.", "diet", "diet", "vegetariër"),
        ("pl", "Jestem weganką.", "diet", "diet", "weganką"),
    )
)

NO_CAR = (
    ("en", "I don't have a car, I always take the bus to work.", "don't have a car"),
    ("de", "Ich habe kein Auto, ich fahre immer mit dem Bus.", "kein Auto"),
    ("fr", "Je n'ai pas de voiture, je prends toujours le bus.", "pas de voiture"),
    ("es", "No tengo coche, siempre voy en autobús.", "No tengo coche"),
    ("nl", "Ik heb geen auto, ik neem altijd de bus.", "geen auto"),
    ("pl", "Nie mam samochodu, zawsze jeżdżę autobusem.", "Nie mam samochodu"),
    ("zh", "我没有车，总是坐公交上班", "没有车"),
    ("ja", "車は持っていないので、いつもバスで通勤しています", "車は持っていない"),
)
NEGATIVE = tuple(
    said(
        text,
        language=language,
        believed=(("me", "car", value),),
        told=(value,),
        readers=(MODEL,),
    )
    for language, text, value in NO_CAR
)

BEDTIMES = (
    ("en", "bedtime is 23:00", "My bedtime is now 22:30.", "bedtime is now 22:30"),
    (
        "de",
        "Schlafenszeit ist 23:00",
        "Meine Schlafenszeit ist jetzt 22:30.",
        "Schlafenszeit ist jetzt 22:30",
    ),
    (
        "fr",
        "se couche à 23:00",
        "Je me couche maintenant à 22:30.",
        "me couche à 22:30",
    ),
    (
        "es",
        "se acuesta a las 23:00",
        "Ahora me acuesto a las 22:30.",
        "acuesto a las 22:30",
    ),
    ("nl", "bedtijd is 23:00", "Mijn bedtijd is nu 22:30.", "bedtijd is nu 22:30"),
    ("pl", "kładę się o 23:00", "Teraz kładę się o 22:30.", "kładę się o 22:30"),
    ("zh", "11点睡觉", "我现在10点半睡觉", "10点半睡觉"),
    ("ja", "23時に寝る", "今は22時半に寝ています", "22時半に寝ています"),
)
NOW = tuple(
    said(
        text,
        language=language,
        known={"routine": old},
        believed=(("me", "routine", new),),
        told=("22" if language == "ja" else "10" if language == "zh" else "22:30",),
        gone=(old,),
        readers=(MODEL,),
    )
    for language, old, text, new in BEDTIMES
)

UNSPACED = tuple(
    said(text, language=language, believed=(belief,), left={key: belief[2]})
    for language, text, belief, key in (
        ("zh", "我对花生过敏", ("me", "allergy", "花生"), "allergy"),
        ("zh", "我吃素", ("me", "diet", "吃素"), "diet"),
        ("zh", "我的狗叫豆豆", ("dog", "name", "豆豆"), "dog.name"),
        ("zh", "我住在成都", ("me", "city", "成都"), "address.city"),
        ("ja", "卵アレルギーです", ("me", "allergy", "卵"), "allergy"),
        ("ja", "犬の名前は豆です", ("dog", "name", "豆"), "dog.name"),
        ("ja", "大阪に住んでいます", ("me", "city", "大阪"), "address.city"),
    )
)

KEPT = {
    "16-short": SHORT,
    "18-negative": NEGATIVE,
    "19-now": NOW,
    "20-unspaced": UNSPACED,
}


@pytest.mark.parametrize(("case", "reader"), heard(KEPT))
async def test_what_was_told_is_kept(
    hass: HomeAssistant, socket_enabled: None, case: str, reader: str
):
    async with town_of(hass, reader) as town:
        assert await town.failures(KEPT[case]) == []
