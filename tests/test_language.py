"""The languages: complete and compiled catalogues, every message with every kind of number, and what the page says."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from string import Formatter

import pytest

from fivedice.analysis.why import component_name
from fivedice.base.language import CARD_LANGUAGES, LANGUAGES, language
from fivedice.cli.text.cards import card_rows
from fivedice.game.joker import CLOSED
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.explanation import explain
from fivedice.rulesets.explanation.boxes import category_name
from fivedice.rulesets.explanation.joker import joker_sentences, joker_steps
from fivedice.rulesets.ruleset import Joker
from tests.amount import amount
from tests.catalogues import OTHERS, Message, all_messages, catalogue, extracted, extracted_of_page, messages, po_file
from web.messages import FOLDER, OWN_MEANING, box_names, compiled

UPDATE = "run make catalogues, and translate what is empty"


def placeholders(form: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(form) if name}


def rendered(message: Message, lang: str, n: int) -> str:
    """A message with every placeholder filled by a number, through the same calls as in the program."""
    to = language(lang)
    names = set().union(*map(placeholders, message.source)) - {"n"}
    values = {name: to.number(n) for name in names}
    if len(message.source) == 2:
        return to.count(*message.source, n, **values)
    return to.say(message.source[0], n=to.number(n), **values)


@pytest.mark.parametrize("lang", OTHERS)
def test_a_compiled_catalogue_has_every_message_of_the_source_and_no_other_with_the_same_placeholders(
    lang: str,
) -> None:
    found = {(message.context, message.source) for message in all_messages(lang)}
    assert found == {("", forms) for forms in extracted()} | extracted_of_page(), UPDATE
    assert not [entry.id for entry in catalogue(lang) if entry.id and entry.fuzzy], UPDATE
    for message in all_messages(lang):
        assert len(message.forms) == len(message.source)
        assert all(message.forms), f"{message.source}: {UPDATE}"
        for source, form in zip(message.source, message.forms, strict=True):
            assert placeholders(form) == placeholders(source), form
            if " " in form and not form.endswith("Min."):  # neither "1." nor "3 Min."
                assert form.endswith((".", "?", ":")) == source.endswith((".", "?", ":")), form
    assert po_file(lang).with_suffix(".mo").read_bytes() == compiled(lang), "run make catalogues"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "two three four five six seven eight nine ten eleven twelve"),
        ("de", "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"),
        ("sv", "två tre fyra fem sex sju åtta nio tio elva tolv"),
    ],
)
def test_numbers_from_two_to_twelve_are_words(lang: str, words: str) -> None:
    assert [language(lang).number(n) for n in range(14)] == ["0", "1", *words.split(), "13"]


@pytest.mark.parametrize("n", [0, 1, 2, 5, 21])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_message_is_rendered_with_every_kind_of_number(lang: str, n: int) -> None:
    number = language(lang).number(n)
    for message in messages(lang):
        text = rendered(message, lang, n)
        form = message.forms[0] if len(message.forms) == 1 or n == 1 else message.forms[1]
        assert not re.search(r"[{}]|  |^ | $", text), text
        assert text == form.replace("{n}", number).format(**dict.fromkeys(placeholders(form) - {"n"}, number))
        if len(message.forms) == 2:
            assert (number in text.split() or f"{number} " in text) or n == 1, text
            assert rendered(message, lang, 1) != rendered(message, lang, 2)
            assert "{n}" not in message.forms[0], f"the singular has the number as a word: {message.forms[0]}"


VARIANTS = [
    *ruleset_ids(),
    *(f"yahtzee[joker={joker},extra_bonus={bonus}]" for joker in Joker for bonus in (0, 100)),
    *(f"triple_yahtzee[order={order}]" for order in ("down", "up")),
    *("yatzy_american[rounds=1]", "yatzy_american[rounds=14]", "yahtzee[rolls=1,saved_rolls=true]", "crag[rolls=1]"),
    *("yatzy[order=down]", "yatzy[order=up]", "yatzy[four_as_two_pairs=true]", "generala[first_roll_generala=wins]"),
]


@cache
def explained(ref: str, lang: str) -> str:
    return explain(load_ruleset(ref), lang)


@pytest.mark.parametrize("lang", OTHERS)
def test_no_sentence_of_any_rules_stays_in_english(lang: str) -> None:
    english = {part for source in extracted() for form in source for part in re.split(r"\{\w+\}", form)}
    told = {part.strip(" .:;,") for part in english if len(part.split()) > 2}
    assert len(told) > 100
    for ref in VARIANTS:
        ruleset = load_ruleset(ref)
        prose = {ruleset.source, *ruleset.notes, *(example.says for example in ruleset.examples)}
        text = " ".join(explained(ref, lang).split())
        for quoted in prose - ruleset.translations.get(lang, {}).keys():
            text = text.replace(" ".join(quoted.split()), "")
        text = re.sub("„[^“]*“|”[^”]*”", "", text)  # the sources are quoted in English
        assert not [part for part in told if part in text], ref
        assert " ".join(explained(ref, "en").split()) != text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_fit_80_columns_in_every_language(lang: str) -> None:
    for ref in VARIANTS:
        assert max(map(len, explained(ref, lang).splitlines())) <= 80, ref


@pytest.mark.parametrize("lang", [*LANGUAGES, *CARD_LANGUAGES])
def test_names_of_boxes_do_not_clash_in_any_ruleset(lang: str) -> None:
    rulesets = [load_ruleset(id) for id in ruleset_ids()]
    named = [one for one in rulesets if lang in LANGUAGES or lang in one.translations]
    assert named
    for ruleset in named:
        names = [category_name(category, ruleset, language(lang)) for category in ruleset.categories]
        assert len(set(names)) == len(names), ruleset


def test_threads_speak_different_languages_at_the_same_time() -> None:
    jobs = [(id, lang) for id in ruleset_ids()[:: amount(3, full=1)] for lang in LANGUAGES]
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda job: explain(*job), jobs))
    assert texts == [explained(*job) for job in jobs]


@pytest.mark.parametrize(
    ("ref", "lang", "names"),
    [
        ("yatzy", "da", "Enere, Toere, Treere, Firere, Femmere, Seksere, Et par, To par, Tre ens, Fire ens"),
        ("yatzy", "nb", "Enere, Toere, Treere, Firere, Femmere, Seksere, Ett par, To par, Tre like, Fire like"),
        ("generala", "es", "Unos, Doses, Treses, Cuatros, Cincos, Seises, Escalera, Full, Póker, Generala"),
        ("yahtzee_free", "fr", "As, Deux, Trois, Quatre, Cinq, Six, Brelan, Carré, Full, Petite suite, Grande suite"),
        ("kniffel", "sv", "Ettor, Tvåor, Treor, Fyror, Femmor, Sexor, Tretal, Fyrtal, Kåk, Liten stege, Stor stege"),
    ],
)
def test_boxes_have_local_names_where_the_game_is_at_home(ref: str, lang: str, names: str) -> None:
    ruleset, to = load_ruleset(ref), language(lang)
    shown = [category_name(category, ruleset, to) for category in ruleset.categories]
    assert ", ".join(shown).startswith(names)
    assert to.say("Lower section") == ("Lower section" if lang in CARD_LANGUAGES else "Nedre delen")
    assert shown[0] in explain(ruleset, lang)


@pytest.mark.parametrize(("ref", "name"), [("kniffel", "Kniffel"), ("yatzy", "Yatzy"), ("generala", "Generala")])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_joker_has_the_name_of_its_own_game(ref: str, name: str, lang: str) -> None:
    ruleset, to = load_ruleset(f"{ref}[joker=forced,extra_bonus=100]"), language(lang)
    position = parse_position(f"{ruleset} {ruleset.joker_category}=50 44444 r2", ruleset)
    spoken = [
        *joker_sentences(ruleset, to),
        *(step.question + step.answer for step in joker_steps(ruleset, to)),
        *(position.why_closed(index, to) for index in range(len(ruleset.boxes))),
        component_name(ruleset, "extra_bonus", to),
        *(row.label for row in card_rows(position)),
    ]
    text = " ".join(spoken)
    assert name in text
    assert not {"Yahtzee", "Kniffel", "Yatzy", "Generala"} - {name} & set(re.findall(r"\w+", text)), text


def test_the_page_has_the_names_of_all_boxes() -> None:
    assert (FOLDER / "boxes.ts").read_text(encoding="utf-8") == box_names(), "run make catalogues"


def test_the_page_has_each_key_once_and_says_which_rule_closes_a_box_in_the_words_of_the_program() -> None:
    pairs = json.loads((FOLDER / "en.json").read_text(encoding="utf-8"), object_pairs_hook=list)
    english = dict(pairs)
    assert len(english) == len(pairs)
    assert {rule: english[f"closed_{rule}"] for rule in CLOSED} == dict(CLOSED)


def test_a_key_that_has_a_translation_of_its_own_shares_its_english_text() -> None:
    """Without another meaning elsewhere the key says nothing to a translator."""
    counts = Counter(forms for _, forms in extracted_of_page()) + Counter(extracted())
    own = [(key, forms) for key, forms in extracted_of_page() if key]
    assert {key for key, _ in own} == OWN_MEANING
    assert [key for key, forms in own if counts[forms] < 2] == []
