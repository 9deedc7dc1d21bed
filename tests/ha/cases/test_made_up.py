"""Cases 1 to 15: facts that nobody has told."""

# ruff: noqa: RUF001  other languages are written as they are

from homeassistant.core import HomeAssistant
import pytest

from .dialogues import MODEL, Belief, heard, said, town_of

SAID_BY_THE_ASSISTANT = (
    said(
        "How do I keep basil alive?",
        reply="I prefer watering it from below; many people move to hydroponics.",
        believed=(
            ("me", "like", "watering from below"),
            ("me", "hobby", "hydroponics"),
        ),
    ),
    said(
        "Any idea for dinner?",
        reply="You love shakshuka, and your wife Nadia is vegetarian.",
        believed=(("me", "like", "shakshuka"), ("partner", "name", "Nadia")),
    ),
    said(
        "Yes, exactly.",
        reply="So you are a dentist in Ghent.",
        believed=(("me", "job", "dentist"), ("me", "city", "Ghent")),
    ),
    said(
        "Wie halte ich Basilikum am Leben?",
        language="de",
        reply="Ich gieße am liebsten von unten.",
        believed=(("me", "like", "von unten gießen"), ("me", "hobby", "Basilikum")),
    ),
    said(
        "Comment garder mon basilic en vie ?",
        language="fr",
        reply="Je préfère l'arroser par le bas.",
        believed=(("me", "like", "arroser par le bas"), ("me", "hobby", "basilic")),
    ),
    said(
        "¿Cómo mantengo viva la albahaca?",
        language="es",
        reply="Prefiero regarla desde abajo.",
        believed=(("me", "like", "regarla desde abajo"), ("me", "hobby", "albahaca")),
    ),
    said(
        "Hoe houd ik basilicum in leven?",
        language="nl",
        reply="Ik geef liever van onderaf water.",
        believed=(("me", "like", "van onderaf water geven"),),
    ),
    said(
        "Jak utrzymać bazylię przy życiu?",
        language="pl",
        reply="Wolę podlewać od dołu.",
        believed=(("me", "like", "podlewać od dołu"), ("me", "hobby", "bazylię")),
    ),
    said(
        "罗勒怎么养才能活？",
        language="zh",
        reply="我喜欢从下面浇水。",
        believed=(("me", "like", "从下面浇水"), ("me", "hobby", "罗勒")),
    ),
    said(
        "バジルを枯らさないようにするには？",
        language="ja",
        reply="私は下から水をやるのが好きです。",
        believed=(("me", "like", "下から水をやる"), ("me", "hobby", "バジル")),
    ),
)

ASKED_ABOUT = tuple(
    said(text, language=language, believed=(("me", "name", name),))
    for language, text, name in (
        ("en", "When does Malik's train arrive?", "Malik"),
        ("en", "Is Petra at home?", "Petra"),
        ("en", "Call Jonas.", "Jonas"),
        ("en", "Who is Ada Lovelace?", "Ada Lovelace"),
        ("en", "Tell Amira that dinner is ready.", "Amira"),
        ("en", "What did Petra say about my train?", "Petra"),
        ("de", "Wann kommt Maliks Zug an?", "Malik"),
        ("de", "Ruf Jonas an.", "Jonas"),
        ("fr", "À quelle heure arrive le train de Malik ?", "Malik"),
        ("fr", "Appelle Jonas.", "Jonas"),
        ("es", "¿Cuándo llega el tren de Malik?", "Malik"),
        ("es", "Llama a Jonas.", "Jonas"),
        ("nl", "Hoe laat komt de trein van Malik aan?", "Malik"),
        ("nl", "Bel Jonas.", "Jonas"),
        ("pl", "O której przyjeżdża pociąg Malika?", "Malika"),
        ("pl", "Zadzwoń do Jonasa.", "Jonasa"),
        ("zh", "马利克的火车几点到？", "马利克"),
        ("zh", "给小林打电话", "小林"),
        ("ja", "マリクさんの電車は何時に着きますか？", "マリク"),
        ("ja", "田中さんに電話して", "田中"),
    )
)

ASKED_FOR = tuple(
    said(text, language=language, believed=believed)
    for language, text, believed in (
        ("en", "Do you remember Bruno?", (("dog", "name", "Bruno"),)),
        ("en", "Didn't I tell you about Bruno?", (("dog", "name", "Bruno"),)),
        ("en", "Do you know my sister Ines?", (("sister", "name", "Ines"),)),
        ("en", "Am I allergic to nuts?", (("me", "allergy", "nuts"),)),
        ("de", "Erinnerst du dich an Bruno?", (("dog", "name", "Bruno"),)),
        ("de", "Bin ich gegen Nüsse allergisch?", (("me", "allergy", "Nüsse"),)),
        ("fr", "Tu te souviens de Bruno ?", (("dog", "name", "Bruno"),)),
        (
            "fr",
            "Est-ce que je suis allergique aux noix ?",
            (("me", "allergy", "noix"),),
        ),
        ("es", "¿Te acuerdas de Bruno?", (("dog", "name", "Bruno"),)),
        ("es", "¿Soy alérgica a las nueces?", (("me", "allergy", "nueces"),)),
        ("nl", "Herinner je je Bruno?", (("dog", "name", "Bruno"),)),
        ("nl", "Ben ik allergisch voor noten?", (("me", "allergy", "noten"),)),
        ("pl", "Pamiętasz Bruna?", (("dog", "name", "Bruna"),)),
        ("pl", "Czy mam alergię na orzechy?", (("me", "allergy", "orzechy"),)),
        ("zh", "你记得布鲁诺吗？", (("dog", "name", "布鲁诺"),)),
        ("zh", "我对坚果过敏吗？", (("me", "allergy", "坚果"),)),
        ("ja", "ブルーノのことを覚えてる？", (("dog", "name", "ブルーノ"),)),
        ("ja", "私はナッツアレルギーですか？", (("me", "allergy", "ナッツ"),)),
    )
)

ORDERED = tuple(
    said(*(text,) * 3, language=language, believed=believed)
    for language, text, believed in (
        ("en", "Set the bedroom to 19.", (("me", "wish", "bedroom to 19"),)),
        ("en", "Play some jazz.", (("me", "like", "jazz"),)),
        ("en", "Wake me at six tomorrow.", (("me", "routine", "wake at six"),)),
        ("en", "It's too bright in here.", (("me", "dislike", "bright"),)),
        (
            "de",
            "Stell das Schlafzimmer auf 19.",
            (("me", "wish", "Schlafzimmer auf 19"),),
        ),
        ("de", "Spiel etwas Jazz.", (("me", "like", "Jazz"),)),
        ("fr", "Mets la chambre à 19.", (("me", "wish", "chambre à 19"),)),
        ("fr", "Joue du jazz.", (("me", "like", "jazz"),)),
        ("es", "Pon el dormitorio a 19.", (("me", "wish", "dormitorio a 19"),)),
        ("es", "Pon algo de jazz.", (("me", "like", "jazz"),)),
        ("nl", "Zet de slaapkamer op 19.", (("me", "wish", "slaapkamer op 19"),)),
        ("nl", "Speel wat jazz.", (("me", "like", "jazz"),)),
        ("pl", "Ustaw sypialnię na 19.", (("me", "wish", "sypialnię na 19"),)),
        ("pl", "Włącz jazz.", (("me", "like", "jazz"),)),
        ("zh", "把卧室调到19度", (("me", "wish", "卧室调到19度"),)),
        ("zh", "放点爵士乐", (("me", "like", "爵士乐"),)),
        ("ja", "寝室を19度にして", (("me", "wish", "寝室を19度"),)),
        ("ja", "ジャズをかけて", (("me", "like", "ジャズ"),)),
    )
)

_PROFILE: tuple[Belief, ...] = (
    ("me", "age", "34"),
    ("me", "city", "Ghent"),
    ("me", "job", "nurse"),
    ("me", "name", "Taylor"),
    ("me", "city", "Brimsel"),
    ("partner", "name", "Alex"),
)
_INVENTED = tuple(belief[2] for belief in _PROFILE)
INVENTED = (
    said("I love my garden.", believed=_PROFILE, gone=_INVENTED, readers=(MODEL,)),
    said(
        "Ich liebe meinen Garten.",
        language="de",
        believed=_PROFILE,
        gone=_INVENTED,
        readers=(MODEL,),
    ),
    said(
        "J'adore mon jardin.",
        language="fr",
        believed=_PROFILE,
        gone=_INVENTED,
        readers=(MODEL,),
    ),
    said(
        "Me encanta mi jardín.",
        language="es",
        believed=_PROFILE,
        gone=_INVENTED,
        readers=(MODEL,),
    ),
    said(
        "Ik hou van mijn tuin.",
        language="nl",
        believed=_PROFILE,
        gone=_INVENTED,
        readers=(MODEL,),
    ),
    said(
        "Kocham mój ogród.",
        language="pl",
        believed=_PROFILE,
        gone=_INVENTED,
        readers=(MODEL,),
    ),
    said(
        "我很喜欢我的花园",
        language="zh",
        believed=_PROFILE,
        gone=_INVENTED,
        readers=(MODEL,),
    ),
    said(
        "私は庭が大好きです",
        language="ja",
        believed=_PROFILE,
        gone=_INVENTED,
        readers=(MODEL,),
    ),
    said(
        "I work in the bakery on Elm Street.",
        believed=(
            ("me", "workplace", "bakery on Elm Street"),
            ("me", "workplace", "famous Portuguese bakery in Lisbon"),
            ("me", "age", "Elm 34"),
        ),
        left={"workplace": "bakery on Elm Street"},
        readers=(MODEL,),
    ),
)

NAMED = tuple(
    said(text, language=language, believed=(("me", "name", name),))
    for language, text, name in (
        ("en", "From now on you are Jarvis.", "Jarvis"),
        ("en", "Your name is Jarvis.", "Jarvis"),
        ("en", "I'll call you Jarvis.", "Jarvis"),
        ("en", "You're called Jarvis now.", "Jarvis"),
        ("en", "Can I call you Jarvis?", "Jarvis"),
        ("de", "Ab jetzt bist du Jarvis.", "Jarvis"),
        ("de", "Du heißt jetzt Jarvis.", "Jarvis"),
        ("de", "Ich nenne dich Jarvis.", "Jarvis"),
        ("fr", "À partir de maintenant, tu es Jarvis.", "Jarvis"),
        ("fr", "Tu t'appelles Jarvis.", "Jarvis"),
        ("fr", "Je vais t'appeler Jarvis.", "Jarvis"),
        ("es", "A partir de ahora eres Jarvis.", "Jarvis"),
        ("es", "Te llamas Jarvis.", "Jarvis"),
        ("es", "Voy a llamarte Jarvis.", "Jarvis"),
        ("nl", "Vanaf nu ben jij Jarvis.", "Jarvis"),
        ("nl", "Je heet Jarvis.", "Jarvis"),
        ("nl", "Ik noem je Jarvis.", "Jarvis"),
        ("pl", "Od teraz jesteś Jarvis.", "Jarvis"),
        ("pl", "Nazywasz się Jarvis.", "Jarvis"),
        ("pl", "Będę cię nazywać Jarvis.", "Jarvis"),
        ("zh", "从现在起你是贾维斯", "贾维斯"),
        ("zh", "你叫贾维斯", "贾维斯"),
        ("zh", "我叫你贾维斯吧", "贾维斯"),
        ("ja", "今からあなたはジャービスです", "ジャービス"),
        ("ja", "あなたの名前はジャービスです", "ジャービス"),
        ("ja", "これからジャービスと呼ぶね", "ジャービス"),
    )
)

NOTHING = {
    "01-said-by-the-assistant": SAID_BY_THE_ASSISTANT,
    "02-asked-about": ASKED_ABOUT,
    "07-asked-for": ASKED_FOR,
    "09-ordered": ORDERED,
    "11-invented": INVENTED,
    "15-named": NAMED,
}


@pytest.mark.parametrize(("case", "reader"), heard(NOTHING))
async def test_nothing_is_made_up(
    hass: HomeAssistant, socket_enabled: None, case: str, reader: str
):
    async with town_of(hass, reader) as town:
        assert await town.failures(NOTHING[case]) == []


LIKED = {
    "en": "I like it at 19 degrees in the bedroom.",
    "de": "Ich mag es im Schlafzimmer bei 19 Grad.",
    "fr": "J'aime avoir 19 degrés dans la chambre.",
    "es": "Me gusta tener 19 grados en el dormitorio.",
    "nl": "Ik heb het graag 19 graden in de slaapkamer.",
    "pl": "Lubię mieć 19 stopni w sypialni.",
    "zh": "我喜欢卧室19度",
    "ja": "寝室は19度が好きです",
}


async def test_09_a_liking_is_kept(hass: HomeAssistant, socket_enabled: None):
    async with town_of(hass, MODEL) as town:
        for language, text in LIKED.items():
            belief = ("me", "wish", text.rstrip("."))
            robin = await town.hold(said(text, language=language, believed=(belief,)))
            assert ["19" in value for value in robin.values.values()] == [True], text
