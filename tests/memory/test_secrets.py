"""What must never be kept is found in every language, and nothing else is."""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from time import perf_counter

import pytest

from custom_components.caesar.memory.secrets import MASK, holds_secret, mask

SECRETS = {
    "the wifi password's sunflower": "sunflower",
    "The gate opens with 4711": "4711",
    "lockbox 0000": "0000",
    "pwd=hunter2": "hunter2",
    "What's the alarm code? It's 4711.": "4711",
    "The garage code is\n4711": "4711",
    "My wifi password is BlueHeron!92, please remember": "BlueHeron!92",
    "hunter22 is my password": "hunter22",
    "Passwort: sonne123": "sonne123",
    "Mein Passwort lautet Sonnenblume": "Sonnenblume",
    "le mot de passe est tournesol": "tournesol",
    "la contraseña es girasol": "girasol",
    "het wachtwoord is zonnebloem": "zonnebloem",
    "hasło do wifi to słonecznik": "słonecznik",
    "パスワードはひまわり88です": "ひまわり88",
    "大门密码是六六二九。": "六六二九",
    "門鎖密碼 4711": "4711",
    "我的護照號碼是 A1234567": "A1234567",
    "銀行帳號是 12345678": "12345678",
    "驗證碼是 839201": "839201",
    "The garage code is 4711": "4711",
    "4711 is the code for the door": "4711",
    "The garage code is four seven one one": "four seven one one",
    "El código de la puerta es cuatro siete uno uno": "siete",
    "The safe in the study opens with 17-32-8.": "17-32-8",
    "Der Tresor geht mit 12-34-56 auf.": "12-34-56",
    "El pin de la alarma es 7710, no lo olvides.": "7710",
    "De pincode van het alarm is 4711": "4711",
    "Kod do alarmu to 4711": "4711",
    "暗証番号は1234です": "1234",
    "我的保险箱是4711": "4711",
    "My card number is 4929 1180 5512 7706, order the pizza.": "7706",
    "card 4111 1111 1111 1111": "4111",
    "Mon IBAN est FR76 3000 6000 0112 3456 7890 189": "7890",
    "my passport number is X12345678": "X12345678",
    "My social security number is 078-05-1120": "078-05-1120",
    "我的身份证号是110101199003071234": "1990",
    "Save the API key sk-test-9f8e7d6c for the weather": "9f8e7d6c",
    "take AKIAIOSFODNN7EXAMPLE": "AKIAIOSFODNN7EXAMPLE",
    "The spare key is under the third flower pot on the left.": "flower pot",
    "Unter dem Blumentopf liegt der Ersatzschlüssel": "Blumentopf",
    "备用钥匙在花盆下面": "花盆",
    # A code that is told with signs between its digits, seen or unseen.
    "The alarm code is 4.7.1.1": "4.7",
    "The alarm code is 4, 7, 1, 1": "4, 7",
    "The alarm code is 4*7*1*1": "4*7",
    "The alarm code is 4 - 7 - 1 - 1": "4 - 7",
    "The alarm code is four, 7, one, one": "four",
    "The alarm code is 47.11": "47.11",
    "The alarm code is 12:34": "12:34",
    "The alarm code is 4\u200b7\u200b1\u200b1": "7",
    "The alarm code is 4\u20117\u20111\u20111": "7",
    "The alarm code is 4\ufe0f\u20e37\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e3": "7",
    "The alarm code is ４７１１": "４７",
    "The alarm code is ④⑦①①": "④",
    "The pass\u200bword is sunflower": "sunflower",
    "card 4111.1111.1111.1111": "4111",
    # What stands for a password, in any number of words.
    "My wifi password is correct, horse, battery, staple": "staple",
    "sunflower is my wifi password": "sunflower",
    "My password for the bank, it's sunflower": "sunflower",
    "Zapamiętaj hasło do poczty, kasztan i klon": "klon",
    "My mother's maiden name is Miller": "Miller",
    "Der Mädchenname meiner Mutter ist Müller": "Müller",
    "El apellido de soltera de mi madre es García": "García",
    "Le nom de jeune fille de ma mère est Dupont": "Dupont",
    "De meisjesnaam van mijn moeder is Jansen": "Jansen",
    "Nazwisko panieńskie mojej matki to Kowalska": "Kowalska",
    "我妈妈的娘家姓是王": "王",
    "母の旧姓は佐藤です": "佐藤",
    "My seed phrase is apple banana river stone cloud": "cloud",
    "My recovery phrase: apple, banana, river": "river",
    "Meine Wiederherstellungsphrase lautet Apfel Baum, Boot": "Boot",
    "Mi frase semilla es manzana río piedra": "piedra",
    "Ma phrase de récupération est pomme rivière": "rivière",
    "Mijn herstelzin is appel boom huis": "huis",
    "Moja fraza odzyskiwania to jabłko rzeka": "rzeka",
    "我的助记词是苹果 河流 石头": "石头",
    "リカバリーフレーズは りんご かわ いし です": "かわ",
    "My social is 123 45 6789": "6789",
    "my social is 123-45-6789": "6789",
    "The alarm is double four one nine": "four one nine",
    "Oma's pinpas is acht acht nul drie": "acht acht",
    "合鍵は植木鉢の下です": "植木鉢",
}

IN_TWO_SENTENCES = {
    "What's the wifi password? It's sunflower.": "sunflower",
    "Remember my wifi password. It's sunflower.": "sunflower",
    "My password:\nsunflower rose": "sunflower rose",
    "My seed phrase:\napple, banana, river, stone, cloud, house, tree": "tree",
    "My passport number? X12345678.": "X12345678",
    "My bank account? It's 4929 1180 5512 7706.": "7706",
    "The spare key? Under the flower pot.": "flower pot",
    "Merk dir mein WLAN-Passwort. Es lautet Sonnenblume.": "Sonnenblume",
    "¿La contraseña del wifi? Es girasol.": "girasol",
    "Le mot de passe du wifi ? C'est tournesol.": "tournesol",
    "Het wachtwoord van de wifi? Het is zonnebloem.": "zonnebloem",
    "Hasło do wifi? To słonecznik.": "słonecznik",
    "密码是什么？是向日葵。": "向日葵",
    "パスワードは？ひまわりです。": "ひまわり",
    "Der Alarmcode? 4711.": "4711",
    "Le code de l'alarme ? C'est le 4711.": "4711",
    "¿El código de la alarma? Es el 4711.": "4711",
    "De alarmcode? Die is 4711.": "4711",
    "Kod do alarmu? To 4711.": "4711",
    "报警器密码？四七一一。": "四七一一",
    "アラームの暗証番号は？4711です。": "4711",
}

ORDINARY = (
    "I forgot my password. Turn on the light.",
    "I forgot my password. It's annoying.",
    "Where is my password?",
    "¿Cuál es la contraseña?",
    "Tom is happy that I changed my password",
    "I remember when we had a password, it was fun",
    "My maiden name was Smith",
    "My social life is busy, I am 42",
    "The alarm is at 6 30",
    "The gate is 120 wide",
    "My credit card is 12 years old",
    "My passport expires on 12 May 2031",
    "Meine Mutter heißt Müller",
    "密码是什么？",
    "密碼是什麼？",
    "郵遞區號是 10048。",
    "my dog is 4",
    "I was born on 12 May 1987",
    "Set the bedroom to 19.5 degrees",
    "Wake me at 7:15",
    "I forgot my password",
    "I changed my password today",
    "What is my password?",
    "My zip code is 90210",
    "error code 404 on the dishwasher",
    "I weigh 72 kg and I am 180 cm tall",
    "the code review is at 15:30",
    "My shoe size is 42",
    "My keys are on the table",
    "It's safe to set 200 degrees",
    "Mein Geburtstag ist am 3.5.1987",
    "I need a new passport before 2027",
    "我今年三十二岁",
    "Gra na skrzypcach to moje hobby.",
    "my tag is {assistant_response} and it costs $& 5.",
    "My phone number is 0170 1234567",
    "El perro tiene 4 años",
    "J'ai un code postal: 75011",
)


@pytest.mark.parametrize(("text", "secret"), (SECRETS | IN_TWO_SENTENCES).items())
def test_a_secret_is_masked_and_the_rest_kept(text: str, secret: str) -> None:
    masked = mask(text)

    assert holds_secret(text)
    assert MASK in masked
    assert secret not in masked


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_numbers_and_words_are_no_secret(text: str) -> None:
    assert not holds_secret(text)
    assert mask(text) == text


@pytest.mark.parametrize("text", SECRETS | IN_TWO_SENTENCES)
def test_masking_again_changes_nothing(text: str) -> None:
    assert mask(mask(text)) == mask(text)
    assert not holds_secret(mask(text))


def test_only_the_secret_part_is_masked() -> None:
    text = "My daughter is called Ida and the alarm code is 4711, thanks."

    assert (
        mask(text) == f"My daughter is called Ida and the alarm code is {MASK}, thanks."
    )


@pytest.mark.parametrize(
    "word",
    [
        "seed phrase:",
        "the alarm",
        "remember the password,",
        "passport",
        "password",
        "PIN",
        "API key",
        "card",
        "spare key",
        "nie",
        "密码",
    ],
)
@pytest.mark.parametrize(
    "filling", ["word ", "a-b ", "1 2 ", "x1", "' ", "一", "four ", "4 , ", "is "]
)
def test_a_long_text_is_read_in_one_go(word: str, filling: str) -> None:
    text = f"{word} {filling * 900}!"

    started = perf_counter()
    mask(text)

    # A pattern that tries every way to split the text would take hours.
    assert perf_counter() - started < 5
