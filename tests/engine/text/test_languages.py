"""The language of a text, told from texts that were written for this."""

import random
import unicodedata

import numpy as np
import pytest

from core.text import languages
from core.text.language_names import LANGUAGE_NAMES, UNKNOWN, language_name
from core.text.languages import FUNCTION_WORDS, detect, detect_all

TEXTS = {
    "ar": "في كل صباح كان المعلم يذهب إلى المدرسة مع أولاده، وهو لا يعرف أن الطريق قد تغير بعد "
    "المطر. قال إن هذا هو اليوم الذي كان ينتظره، ثم عاد إلى البيت من غير أن يقول شيئا.",
    "ca": "La biblioteca del poble és oberta cada dia, però als matins no hi ha ningú que pugui "
    "ajudar els lectors. Per això molts han demanat que també s'obri amb una persona més.",
    "cs": "Když jsme přišli domů, nebylo ještě ani šest hodin, ale už se stmívalo a v kuchyni "
    "nikdo nebyl. Proto jsem se rozhodl, že počkám u okna, než přijde otec, který má klíče.",
    "da": "Når man læser den gamle bog, er det svært at se, hvad der var skrevet af ham selv og "
    "hvad der blev tilføjet efter hans død. Det er noget, som jeg ikke ved meget om.",
    "de": "Der Rat hat gestern beschlossen, dass die alte Brücke nicht abgerissen wird, sondern "
    "für Fußgänger offen bleibt. Wer mit dem Wagen kommt, muss über die neue fahren.",
    "en": "The council decided yesterday that the old bridge will not be torn down but stays open "
    "for those who walk. Anyone who comes by car must take the new one, which is not far.",
    "es": "El concejo decidió ayer que el puente viejo no se derribará, sino que queda abierto "
    "para los que van a pie. Quien llegue en coche tiene que pasar por el nuevo, que está cerca.",
    "fa": "شورا دیروز تصمیم گرفت که پل قدیمی را خراب نکند و آن را برای کسانی که پیاده می روند باز "
    "بگذارد. هر کس با ماشین می آید باید از پل تازه که دور نیست برود و این برای همه بهتر است.",
    "fi": "Neuvosto päätti eilen, että vanhaa siltaa ei pureta, vaan se on auki niille, jotka "
    "kulkevat jalan. Joka tulee autolla, voi ajaa uutta siltaa, mutta se ei ole lähellä.",
    "fr": "Le conseil a décidé hier que le vieux pont ne sera pas détruit, mais qu'il reste ouvert "
    "à ceux qui vont à pied. Celui qui vient en voiture doit prendre le nouveau avec les autres.",
    "hi": "परिषद ने कल यह तय किया कि पुराना पुल नहीं तोड़ा जाएगा और वह उन लोगों के लिए खुला रहेगा जो "
    "पैदल चलते हैं। जो गाड़ी से आता है, उसको नए पुल से जाना है और यह भी पास में ही है।",
    "hu": "A tanács tegnap úgy döntött, hogy a régi hidat nem bontják le, hanem nyitva marad azok "
    "számára, akik gyalog járnak. Aki autóval jön, annak az új hídon kell mennie, és ez már nem "
    "olyan messze van.",
    "id": "Dewan kota telah memutuskan bahwa jembatan lama itu tidak akan dibongkar dan tetap bisa "
    "dilalui oleh orang yang berjalan kaki. Mereka yang datang dengan mobil harus lewat jembatan "
    "baru, karena itu lebih kuat.",
    "it": "Il consiglio ha deciso ieri che il vecchio ponte non sarà demolito ma resta aperto per "
    "chi va a piedi. Chi viene con la macchina deve prendere quello nuovo, che non è lontano.",
    "nl": "De raad heeft gisteren besloten dat de oude brug niet wordt gesloopt, maar nog open is "
    "voor wie te voet komt. Wie met de auto is, moet over de nieuwe, en die ligt niet ver weg.",
    "no": "Når man leser den gamle boka, er det vanskelig å se hva som ble skrevet av ham selv, og "
    "hva noen har lagt til etter hans død. Det er noe jeg ikke vet mye om, og det sier han også.",
    "pl": "Rada postanowiła wczoraj, że stary most nie zostanie zburzony, ale będzie otwarty dla "
    "tych, którzy idą pieszo. Kto jedzie samochodem, może jechać przez nowy, bo jest niedaleko.",
    "pt": "O conselho decidiu ontem que a ponte velha não será demolida, mas fica aberta para quem "
    "vai a pé. Quem vem de carro tem de passar pela nova, que também não é muito longe daqui.",
    "ru": "Совет вчера решил, что старый мост не снесут, а оставят для тех, кто ходит пешком. Если "
    "вы едете на машине, то это можно сделать только через новый, который был построен для этого.",
    "sk": "Keď sme prišli domov, nebolo ešte ani šesť hodín, ale už sa stmievalo a v kuchyni nikto "
    "nebol. Preto som sa rozhodol, že počkám pri okne, kým príde otec, ktorý má kľúče.",
    "sv": "Rådet beslöt i går att den gamla bron inte ska rivas utan vara öppen för dem som går. "
    "Den som kommer med bil får ta den nya, och det är något som många har väntat på här.",
    "tr": "Meclis dün eski köprünün yıkılmayacağını ve yaya olanlar için açık kalacağını bildirdi. "
    "Ancak araba ile gelen herkes daha uzak olan yeni köprüye gider, çünkü bu çok daha güvenli "
    "ve bir o kadar da iyi.",
    "uk": "Рада вчора вирішила, що старий міст не знесуть, а він буде для тих, хто йде пішки. Якщо "
    "ви їдете машиною, то це можна зробити тільки через новий, який був побудований для цього.",
    # Languages with a script of their own.
    "el": "Το συμβούλιο αποφάσισε χθες να μη γκρεμίσει την παλιά γέφυρα.",
    "ja": "市議会は昨日、古い橋を取り壊さずに歩行者のために残すことを決めました。",
    "ka": "საბჭომ გუშინ გადაწყვიტა, რომ ძველი ხიდი არ დაინგრეს.",
    "ko": "시의회는 어제 오래된 다리를 철거하지 않고 남겨 두기로 결정했습니다.",
    "ta": "பழைய பாலத்தை இடிக்க வேண்டாம் என்று சபை நேற்று முடிவு செய்தது.",
    "th": "สภาเทศบาลตัดสินใจเมื่อวานนี้ว่าจะไม่รื้อสะพานเก่า",
    "zh": "市议会昨天决定不拆除旧桥，而是留给步行的人使用。",
}


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_of_a_sentence_or_two_is_told(code):
    assert detect(TEXTS[code]) == code


def test_many_texts_are_told_as_each_by_itself():
    texts = [*TEXTS.values(), "", "1984", TEXTS["en"].upper()]

    assert detect_all(texts) == [detect(text) for text in texts] == [*TEXTS, UNKNOWN, UNKNOWN, "en"]
    assert detect_all([]) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "The old bridge",
        "橋",
        "Ελλάδα",
        "12 345 678 90 " * 200,
        "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez " * 20,
        "Berlin 30 22 | Paris 28 20 | Roma 33 25 | Madrid 35 24 | Oslo 21 14 | Wien 29 18 " * 20,
        "tavo remi lusto " * 100,
        "\ud800" * 50,
    ],
)
def test_where_it_is_not_sure_it_says_nothing(text):
    assert detect(text) == UNKNOWN


def test_letters_that_are_put_together_are_the_same():
    assert detect(unicodedata.normalize("NFD", TEXTS["fr"])) == "fr"
    assert detect(unicodedata.normalize("NFD", TEXTS["ko"])) == "ko"


def test_names_in_another_script_do_not_decide():
    assert detect(f"{TEXTS['en']} This is the name of it: Πλάτων, 王小明.") == "en"
    assert detect(f"{TEXTS['zh']}（Springer Verlag 2019）") == "zh"


def test_of_two_languages_that_of_most_text():
    german, english = TEXTS["de"], TEXTS["en"]

    assert detect(german * 30 + english * 10) == "de"
    assert detect(german * 10 + english * 30) == "en"
    assert detect(TEXTS["zh"] * 30 + english) == "zh"
    assert detect(TEXTS["zh"] + english * 10) == "en"


def test_a_long_text_is_looked_at_from_beginning_to_end():
    text = TEXTS["en"] * 20 + TEXTS["ru"] * 400

    assert detect(text) == "ru"
    assert len(languages._sample(text)) <= languages.SAMPLE + languages.PIECES
    assert detect(TEXTS["ru"] * 100 + "\n" * 10) == "ru"


def test_the_order_of_sentences_is_no_matter():
    sentences = (TEXTS["pl"] + " ").split(". ")
    for seed in range(5):
        random.Random(seed).shuffle(sentences)

        assert detect(". ".join(sentences)) == "pl"


def test_languages_have_names():
    assert language_name("de") == "German"
    assert language_name("qq") == "qq"
    assert language_name(UNKNOWN) == language_name("") == ""
    assert {*languages.CODES, *languages.SCRIPT_CODES, *TEXTS} <= LANGUAGE_NAMES.keys()
    assert len(set(LANGUAGE_NAMES.values())) == len(LANGUAGE_NAMES)


def test_the_lists_are_words():
    assert len(FUNCTION_WORDS) <= 64  # bits of a mask
    for words in map(str.split, FUNCTION_WORDS.values()):
        assert len(words) == len(set(words)) >= 25
        assert all(len(word) > 1 for word in words)


def test_a_word_speaks_for_all_languages_that_have_it():
    found = np.zeros((2, 1, len(languages.CODES)), dtype=np.int64)
    values = languages.find_units(
        languages.code_points("und die die"), np.array([0, 11]), languages.USUAL, spans=False
    ).values
    languages._count_words(values, np.array([0, 3]), *languages._function_words(), found)

    counts = {code: tuple(found[:, 0, number]) for number, code in enumerate(languages.CODES)}
    assert counts["de"] == (3, 2)
    assert counts["af"] == counts["nl"] == (2, 1)
    assert counts["en"] == (0, 0)
