"""Rulesets, options and names made to break the parser are refused with one clear sentence."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fivedice.errors import MalformedError, UnknownError
from fivedice.game.notation import parse_position
from fivedice.rulesets import load_ruleset, parse_ruleset

BOXES = '[categories]\na = { scorer = "any_dice" }\nb = { scorer = "any_dice" }\n'
QUOTE = '"'
HEAD = 'id = "x"\n'


def category(definition: str) -> str:
    return f"{HEAD}[categories]\na = {definition}\n"


ONES = category('{ scorer = "sum_of_face", face = 1 }')
PAIRS = category('{ scorer = "pairs", n = 10 }')

RULESETS: dict[str, tuple[str, type[ValueError]]] = {
    "nothing": ("", MalformedError),
    "only an id": (HEAD, MalformedError),
    "a nul byte": (f"{HEAD}\0{BOXES}", MalformedError),
    "an escaped nul": (f'id = "\\u0000"\n{BOXES}', MalformedError),
    "a lone surrogate": (f'id = "\ud800"\n{BOXES}', MalformedError),
    "a byte order mark": (f"\ufeff{HEAD}{BOXES}", MalformedError),
    "many dotted keys": (f"{HEAD}{BOXES}" + "".join(f"x{i}.{'a.' * 50}a = 1\n" for i in range(500)), MalformedError),
    "spaces without end": (f"{HEAD}{' ' * 60_000}a\n{BOXES}", MalformedError),
    "commas and quotes without end": (f"{HEAD}{',' * 30_000}{QUOTE * 30_000}\n{BOXES}", MalformedError),
    "a very long text": (f"{HEAD}# {'a' * 70_000}\n{BOXES}", MalformedError),
    "an integer too long for Python": (f"dice = {'9' * 5_000}\n{HEAD}{BOXES}", MalformedError),
    "a hexadecimal integer too long to write": (f"dice = 0x{'f' * 5_000}\n{HEAD}{BOXES}", MalformedError),
    "a list with an integer too long to write": (f"drop = [0x{'f' * 5_000}]\n{HEAD}{BOXES}", MalformedError),
    "an unknown key with an integer too long to write": (f"zzz = 0x{'f' * 5_000}\n{HEAD}{BOXES}", UnknownError),
    "lists in lists": (f"drop = {'[' * 5_000}{']' * 5_000}\n{HEAD}{BOXES}", MalformedError),
    "lists in lists, fewer": (f"drop = {'[' * 300}{']' * 300}\n{HEAD}{BOXES}", MalformedError),
    "tables in tables": (f"options = {'{a=' * 2_000}1{'}' * 2_000}\n{HEAD}{BOXES}", MalformedError),
    "a deep dotted key": (f"{'a.' * 2_000}a = 1\n{HEAD}{BOXES}", MalformedError),
    "a deep dotted table": (f"{HEAD}{BOXES}[{'a.' * 2_000}a]\n", MalformedError),
    "a dotted key as long as a text may be": (f"{'a.' * 32_000}a = 1\n{HEAD}{BOXES}", MalformedError),
    "a deep key below categories": (f"{HEAD}{BOXES}[categories.{'a.' * 2_000}a]\n", MalformedError),
    "nan dice": (f"dice = nan\n{HEAD}{BOXES}", MalformedError),
    "infinite dice": (f"dice = inf\n{HEAD}{BOXES}", MalformedError),
    "true dice": (f"dice = true\n{HEAD}{BOXES}", MalformedError),
    "a date for dice": (f"dice = 1979-05-27\n{HEAD}{BOXES}", MalformedError),
    "a date that is none": (f"dice = 2023-02-30\n{HEAD}{BOXES}", MalformedError),
    "no dice": (f"dice = 0\n{HEAD}{BOXES}", MalformedError),
    "eleven dice": (f"dice = 11\n{HEAD}{BOXES}", MalformedError),
    "twenty-one faces": (f"faces = 21\n{HEAD}{BOXES}", MalformedError),
    "one face": (f"faces = 1\n{HEAD}{BOXES}", MalformedError),
    "no rolls": (f"rolls = 0\n{HEAD}{BOXES}", MalformedError),
    "more rounds than boxes": (f"rounds = 3\n{HEAD}{BOXES}", MalformedError),
    "an id of a number": (f"id = 3\n{BOXES}", MalformedError),
    "an id with a space": (f'id = "a b"\n{BOXES}', MalformedError),
    "an id with odd digits": (f'id = "a²"\n{BOXES}', MalformedError),
    "a name of two lines": (f'name = "a\\nb"\n{HEAD}{BOXES}', MalformedError),
    "notes with an escape sequence": (f'notes = ["\\u001b[2J"]\n{HEAD}{BOXES}', MalformedError),
    "a key with a line break": (f'"a\\nb" = 1\n{HEAD}{BOXES}', UnknownError),
    "a very long key": (f'"{"a" * 3_900}" = 1\n{HEAD}{BOXES}', UnknownError),
    "like nothing that there is": (f'like = "{"a" * 3_900}"\n{HEAD}{BOXES}', UnknownError),
    "like a list": (f"like = []\n{HEAD}{BOXES}", MalformedError),
    "categories that are a number": (f"{HEAD}categories = 3\n", MalformedError),
    "categories that are a list": (f'{HEAD}[[categories]]\na = {{ scorer = "any_dice" }}\n', MalformedError),
    "a category that is a list": (category("[]"), MalformedError),
    "a category called saved": (f'{HEAD}[categories]\nsaved = {{ scorer = "any_dice" }}\n', MalformedError),
    "a category called won": (f'{HEAD}[categories]\nwon = {{ scorer = "any_dice" }}\n', MalformedError),
    "a category called upper_bonus": (
        f'{HEAD}[categories]\nupper_bonus = {{ scorer = "any_dice" }}\n',
        MalformedError,
    ),
    "1,500 categories": (
        f"{HEAD}{BOXES}" + "".join(f'c{i}={{scorer="any_dice"}}\n' for i in range(1_500)),
        MalformedError,
    ),
    "1,500 columns": (f"{HEAD}{BOXES}[columns]\n" + "".join(f"c{i}={{}}\n" for i in range(1_500)), MalformedError),
    "columns that are a list": (f"columns = [1]\n{HEAD}{BOXES}", MalformedError),
    "a column without an id": (f'{HEAD}{BOXES}[columns]\n"" = {{}}\n', MalformedError),
    "two boxes of one name": (
        f"{HEAD}{BOXES}a_b = {{ scorer = 'any_dice' }}\n[columns]\nb = {{}}\nb_b = {{}}\n",
        MalformedError,
    ),
    "a column worth nothing": (f"{HEAD}{BOXES}[columns.c]\nmultiplier = 0\n", MalformedError),
    "no scorer": (category("{}"), MalformedError),
    "a scorer that there is not": (category('{ scorer = "eval" }'), UnknownError),
    "a scorer that is a list": (category("{ scorer = [] }"), MalformedError),
    "a scorer with a parameter of another": (category('{ scorer = "any_dice", n = 3 }'), UnknownError),
    "a scorer's first parameter": (category('{ scorer = "any_dice", dice = 3 }'), UnknownError),
    "a kind without its number": (category('{ scorer = "n_of_a_kind" }'), MalformedError),
    "a kind of true": (category('{ scorer = "n_of_a_kind", n = true }'), MalformedError),
    "ten pairs of ten dice": (f"dice = 10\nfaces = 9\n{PAIRS}", MalformedError),
    "a straight of nothing": (category('{ scorer = "straight" }'), MalformedError),
    "a straight of lists": (category('{ scorer = "straight", faces = [[]] }'), MalformedError),
    "a straight of odd digits": (category('{ scorer = "straight", faces = ["１２３"] }'), MalformedError),
    "a straight of a superscript": (category('{ scorer = "straight", faces = ["1²3"] }'), MalformedError),
    "a flush without colours": (category('{ scorer = "flush" }'), MalformedError),
    "a flush that cannot be": (
        f'{HEAD}colours = {{ red = [] }}\n[categories]\na = {{ scorer = "flush" }}\n',
        MalformedError,
    ),
    "colours that are a list": (f"colours = [1]\n{HEAD}{BOXES}", MalformedError),
    "a colour that is a number": (f"colours = {{ red = 1 }}\n{HEAD}{BOXES}", MalformedError),
    "a colour of a face that there is not": (f"colours = {{ red = [7] }}\n{HEAD}{BOXES}", MalformedError),
    "a colour with an escape sequence": (f'colours = {{ "\\u001b[2J" = [1] }}\n{HEAD}{BOXES}', MalformedError),
    "pays true": (category('{ scorer = "any_dice", pays = true }'), MalformedError),
    "pays nothing": (category('{ scorer = "any_dice", pays = 0 }'), MalformedError),
    "pays nan": (category('{ scorer = "any_dice", pays = nan }'), MalformedError),
    "pays a list": (category('{ scorer = "any_dice", pays = [] }'), MalformedError),
    "pays too much": (category('{ scorer = "any_dice", pays = 10001 }'), MalformedError),
    "a section that there is not": (category('{ scorer = "any_dice", section = "middle" }'), MalformedError),
    "a section that is a list": (category('{ scorer = "any_dice", section = ["upper"] }'), MalformedError),
    "a joker that there is not": (f'joker = "batman"\n{HEAD}{BOXES}', MalformedError),
    "a joker that is a table": (f"joker = {{}}\n{HEAD}{BOXES}", MalformedError),
    "a joker without its category": (f'joker = "free"\n{HEAD}{BOXES}', MalformedError),
    "a joker of no category": (f'joker = "free"\njoker_category = "c"\n{HEAD}{BOXES}', UnknownError),
    "a joker of another scorer": (f'joker = "free"\njoker_category = "a"\n{HEAD}{BOXES}', MalformedError),
    "an upper bonus of odd digits": (f'upper_bonus = "３５@６３"\n{HEAD}{BOXES}', MalformedError),
    "an upper bonus of a number": (f"upper_bonus = 35\n{HEAD}{BOXES}", MalformedError),
    "an upper bonus that is too large": (f'upper_bonus = "{"9" * 50}@1"\n{HEAD}{BOXES}', MalformedError),
    "an upper bonus that falls": (
        f'upper_bonus = "5@3/4@9"\n{ONES}',
        MalformedError,
    ),
    "an upper bonus that stays": (
        f'upper_bonus = "5@3/5@9"\n{ONES}',
        MalformedError,
    ),
    "two upper bonuses at once": (
        f'upper_bonus = "5@3/9@3"\n{ONES}',
        MalformedError,
    ),
    "an upper bonus without upper boxes": (f'upper_bonus = "5@3"\n{HEAD}{BOXES}', MalformedError),
    "drop that is a number": (f"drop = 1\n{HEAD}{BOXES}", MalformedError),
    "drop that is a text": (f'drop = "a"\n{HEAD}{BOXES}', MalformedError),
    "drop that is a table": (f'drop = {{ a = "a" }}\n{HEAD}{BOXES}', MalformedError),
    "drop of numbers": (f"drop = [1]\n{HEAD}{BOXES}", MalformedError),
    "drop of lists": (f'drop = [["a"]]\n{HEAD}{BOXES}', MalformedError),
    "drop of nothing that there is": (f'drop = ["c"]\n{HEAD}{BOXES}', UnknownError),
    "drop of the same twice": (f'drop = ["a", "a"]\n{HEAD}{BOXES}', UnknownError),
    "drop of what the file defines": (f'drop = ["a", "b"]\n{HEAD}{BOXES}', UnknownError),
    "options that are a number": (f"options = 3\n{HEAD}{BOXES}", MalformedError),
    "options that are a list": (f'options = ["short"]\n{HEAD}{BOXES}', MalformedError),
    "an option that is a number": (f"options = {{ short = 3 }}\n{HEAD}{BOXES}", MalformedError),
    "an option without choices": (f'options = {{ short = {{ default = "no" }} }}\n{HEAD}{BOXES}', MalformedError),
    "choices that are a list": (
        f'options = {{ short = {{ default = "no", choices = ["no"] }} }}\n{HEAD}{BOXES}',
        MalformedError,
    ),
    "a choice that is a number": (
        f'options = {{ short = {{ default = "no", choices = {{ no = 3 }} }} }}\n{HEAD}{BOXES}',
        MalformedError,
    ),
    "a choice without a sentence": (
        f'options = {{ short = {{ default = "no", choices = {{ no = {{}} }} }} }}\n{HEAD}{BOXES}',
        MalformedError,
    ),
    "a choice with a space": (
        f'options = {{ short = {{ default = "a b", choices = {{ "a b" = {{ about = "." }} }} }} }}\n{HEAD}{BOXES}',
        MalformedError,
    ),
    "a choice with a comma and a bracket": (
        f'options = {{ short = {{ default = "a,b]", choices = {{ "a,b]" = {{ about = "." }} }} }} }}\n{HEAD}{BOXES}',
        MalformedError,
    ),
    "a choice of no name": (
        f'options = {{ short = {{ default = "", choices = {{ "" = {{ about = "." }} }} }} }}\n{HEAD}{BOXES}',
        MalformedError,
    ),
    "a deep list in a choice": (
        f"{HEAD}{BOXES}[options.o]\ndefault = 'a'\n[options.o.choices]\na = {{ about = '.' }}\n"
        f"b = {{ about = '.', drop = {'[' * 400}{']' * 400} }}\n",
        MalformedError,
    ),
    "an option with a space": (
        f'options = {{ "a b" = {{ default = "no", choices = {{ no = {{ about = "." }} }} }} }}\n{HEAD}{BOXES}',
        MalformedError,
    ),
    "examples that are a table": (f"examples = {{}}\n{HEAD}{BOXES}", MalformedError),
    "an example of no box": (f'{HEAD}{BOXES}[[examples]]\nsays = "."\ndice = "11111"\nbox = "c"\n', UnknownError),
    "an example of odd dice": (f'{HEAD}{BOXES}[[examples]]\nsays = "."\ndice = "１1111"\nbox = "a"\n', MalformedError),
    "an example of no dice": (f'{HEAD}{BOXES}[[examples]]\nsays = "."\ndice = "-"\nbox = "a"\n', MalformedError),
    "an example of true points": (
        f'{HEAD}{BOXES}[[examples]]\nsays = "."\ndice = "11111"\nbox = "a"\npoints = true\n',
        MalformedError,
    ),
}


@pytest.mark.parametrize("name", RULESETS)
def test_a_hostile_ruleset_is_refused_with_one_clear_sentence(name: str) -> None:
    text, kind = RULESETS[name]
    began = time.process_time()
    with pytest.raises(kind) as caught:
        parse_ruleset(text)
    assert time.process_time() - began < 5
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


OPTION = """
[options.short]
default = "no"
[options.short.choices]
no = { about = "Two boxes." }
empty = { about = "No boxes.", drop = ["a", "b"] }
unknown = { about = "Other boxes.", drop = ["c"] }
number = { about = "Boxes are a number.", categories = 3 }
box = { about = "A box is a number.", categories.a = 3 }
dice = { about = "Dice are nan.", dice = nan }
like = { about = "Like another.", like = "yahtzee" }
"""


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"short": "empty"}, MalformedError),
        ({"short": "unknown"}, UnknownError),
        ({"short": "number"}, MalformedError),
        ({"short": "box"}, MalformedError),
        ({"short": "dice"}, MalformedError),
        ({"short": "like"}, UnknownError),
        ({"short": "maybe"}, MalformedError),
        ({"short": ""}, MalformedError),
        ({"short": 10**5_000}, MalformedError),
        ({"short": None}, MalformedError),
        ({"": "no"}, UnknownError),
        ({"shor": "no"}, UnknownError),
        ({"categories": "3"}, UnknownError),
        ({"rolls": "３"}, MalformedError),
        ({"rolls": "²"}, MalformedError),
        ({"rolls": "1_0"}, MalformedError),
        ({"rolls": "+3"}, MalformedError),
        ({"rolls": "0"}, MalformedError),
        ({"rolls": "9" * 5_000}, MalformedError),
        ({"rolls": True}, MalformedError),
        ({"rolls": 2.0}, MalformedError),
        ({"rolls": [2]}, MalformedError),
        ({"rounds": 3}, MalformedError),
        ({"rounds": "\x1b[2J"}, MalformedError),
        ({"order": "sideways"}, MalformedError),
        ({"voluntary_zero": "yes"}, MalformedError),
        ({"voluntary_zero": 1}, MalformedError),
        ({"upper_bonus": "35 63"}, MalformedError),
        ({"upper_bonus": "05@03"}, MalformedError),
        ({"joker": "free"}, MalformedError),
    ],
)
def test_hostile_options_are_refused_with_one_clear_sentence(
    options: dict[str, object], kind: type[ValueError]
) -> None:
    with pytest.raises(kind) as caught:
        parse_ruleset(HEAD + BOXES + OPTION, options=options)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("options", ["options = 3", "options = [1]", "options = { short = 3 }"])
def test_malformed_options_are_refused_even_if_one_is_chosen(options: str) -> None:
    with pytest.raises(MalformedError):
        parse_ruleset(f"{options}\n{HEAD}{BOXES}", options={"short": "no"})


def variants() -> Iterator[tuple[str, dict[str, object]]]:
    upper = f'upper_bonus = "5@3"\n{ONES}'
    yield f"rounds = 1\n{HEAD}{BOXES}", {"rounds": 2}
    yield f"rounds = 1\n{HEAD}{BOXES}", {"rounds": 1}
    yield f"{HEAD}{BOXES}", {"rounds": 2}
    yield f"{HEAD}{BOXES}", {"rounds": "02"}
    yield f"{HEAD}{BOXES}", {"rolls": "05"}
    yield f"extra_bonus = 0\n{HEAD}{BOXES}", {"extra_bonus": "-0"}
    yield upper, {"upper_bonus": "5@3"}
    yield upper, {"upper_bonus": "7@4/5@3"}
    yield HEAD + BOXES + OPTION, {"short": "no", "rolls": 2, "voluntary_zero": True, "saved_rolls": "true"}


@pytest.mark.parametrize(("text", "options"), list(variants()))
def test_the_name_of_a_variant_loads_it(text: str, options: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    ruleset = load_ruleset(str(path)).but(**options)
    assert load_ruleset(str(ruleset)) == ruleset
    assert (ruleset.digest == load_ruleset(str(path)).digest) == (not ruleset.options)


def test_a_variant_without_an_upper_bonus_has_a_name() -> None:
    ruleset = load_ruleset("yahtzee").but(upper_bonus="")
    assert load_ruleset(str(ruleset)) == ruleset
    assert ruleset.upper_bonus == ()


@pytest.mark.parametrize(
    ("ref", "kind"),
    [
        ("", MalformedError),
        (".toml", UnknownError),
        ("\0.toml", UnknownError),
        ("\ud800.toml", UnknownError),
        ("a" * 100_000 + ".toml", UnknownError),
        ("a/" * 10_000 + "b.toml", UnknownError),
        ("\x1b[2J", MalformedError),
        ("\x1b.toml", UnknownError),
        ("a" * 100_000, UnknownError),
        ("../rulesets/yahtzee", UnknownError),
        ("/etc/passwd", UnknownError),
        ("yahtzee\0", UnknownError),
        ("Yahtzee", UnknownError),
        ("yahtzee[]x", MalformedError),
        ("yahtzee[[joker=free]]", MalformedError),
        ("yahtzee[joker=free,]", MalformedError),
        ("yahtzee[=]", MalformedError),
        ("yahtzee[joker=free=free]", MalformedError),
        ("yahtzee[" + "a" * 100_000 + "=1]", UnknownError),
        ("yahtzee[joker=" + "a" * 100_000 + "]", MalformedError),
        ("yahtzee[rolls=" + "9" * 100_000 + "]", MalformedError),
        ("yahtzee[upper_bonus=" + "/".join(f"{i}@{i}" for i in range(1, 10_000)) + "]", MalformedError),
    ],
    ids=lambda value: f"{value!r:.25}" if isinstance(value, str) else value.__name__,
)
def test_a_hostile_name_of_a_ruleset_is_refused_with_one_clear_sentence(ref: str, kind: type[ValueError]) -> None:
    for parse in (load_ruleset, lambda name: parse_position(f"{name} - - r3")):
        if not ref and parse is not load_ruleset:
            continue
        with pytest.raises(kind) as caught:
            parse(ref)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 600
