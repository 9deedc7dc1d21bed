"""What must never be kept is found in every language, and nothing else is."""

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
    "合鍵は植木鉢の下です": "植木鉢",
}

ORDINARY = (
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


@pytest.mark.parametrize(("text", "secret"), SECRETS.items())
def test_a_secret_is_masked_and_the_rest_kept(text: str, secret: str) -> None:
    masked = mask(text)

    assert holds_secret(text)
    assert MASK in masked
    assert secret not in masked


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_numbers_and_words_are_no_secret(text: str) -> None:
    assert not holds_secret(text)
    assert mask(text) == text


@pytest.mark.parametrize("text", SECRETS)
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
    ["passport", "password", "PIN", "API key", "card", "spare key", "nie", "密码"],
)
@pytest.mark.parametrize(
    "filling", ["word ", "a-b ", "1 2 ", "x1", "' ", "一", "four "]
)
def test_a_long_text_is_read_in_one_go(word: str, filling: str) -> None:
    text = f"{word} {filling * 900}!"

    started = perf_counter()
    mask(text)

    # A pattern that tries every way to split the text would take hours.
    assert perf_counter() - started < 5
