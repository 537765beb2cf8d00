"""Invalid ruleset files, options and names are refused with one sentence: the key, the value, and what is expected."""

from itertools import product
from pathlib import Path

import pytest

from fivedice.base.errors import MalformedError, UnknownError
from fivedice.rulesets import load_ruleset, parse_ruleset
from fivedice.rulesets.scoring import SCORERS

HEAD = 'id = "x"\n'
LIKE = 'id = "x"\nlike = "yahtzee"\n'


def foo(rule: str) -> str:
    """A file with one category of this rule."""
    return f"{HEAD}[categories]\nfoo = {{ {rule} }}"


OF_YAHTZEE = {
    # Requirements and conversions.
    'categories.chance.requires = "sixes"': "categories.chance.requires = 'sixes': want the joker_category, yahtzee",
    'bonus_after_zero = true\ncategories.chance.requires = "yahtzee"': "bonus_after_zero = True: categories that",
    'categories.chance.requires = "yahtzee"\n[columns.a]': "= 'yahtzee': want a card without columns",
    "conversion = 3": "conversion = 3: want a table of keys and values",
    "conversion.chance = 3": "conversion.chance = 3: want one line of text",
    'conversion.chance = "3"': "conversion.chance = '3': want POINTS@TOTAL, tiers separated by slashes, as in 2@52 or",
    'conversion.chance = "9@0/4@5"': "conversion.chance = '9@0/4@5': want the totals in ascending order, and more",
    # Numbers and flags.
    "rolls = 0x" + "f" * 9_000: "rolls = int too large to show: want a whole number from 1 to 10",
    "dice = true": "dice = True: want a whole number from 1 to 10",
    "rounds = 14": "rounds = 14: want a whole number from 1 to 13",
    'voluntary_zero = "yes"': "voluntary_zero = 'yes': want true or false",
    'name = "two\\nlines"': "name = 'two\\nlines': want one line of text",
    'notes = ["a\\u001b[2J"]': "notes = ['a\\x1b[2J']: want a list of texts of one line each",
    # Bonuses, jokers and columns.
    'upper_bonus = "35"': "upper_bonus = '35': want POINTS@TOTAL, tiers separated by slashes, as in 35@63",
    'upper_bonus = "35@63/55@63"': "upper_bonus = '35@63/55@63': a higher total must earn more points",
    'joker = "always"': "joker = 'always': want one of none, free, forced, wild, lower_first",
    'joker_category = "chance"': "joker_category = 'chance': want a category with scorer n_of_a_kind and n = 5",
    'order = "sideways"': "order = 'sideways': want one of free, down, up",
    "[columns.A]": "columns.A = 'A': want a snake_case id",
    "".join(f"[columns.c{i}]\n" for i in range(10)): "a card of 130 boxes is too large: 120 at most",
    # Points by the number of the roll, lines and pairs.
    "categories.ones.pays = [9, 5]": "points by the number of the roll are for the lower section only",
    "categories.chance.pays = []": "want points from 1 to 10,000",
    "lines.a = { plus = 'chance', minus = 'chance', times = 'ones' }": "want three categories",
    "lines.a = { plus = 'chance', minus = 'ones', times = 'twos' }": "want one of three_of_a_kind",
    "lines.ones = { plus = 'chance', minus = 'yahtzee', times = 'ones' }": "a category has this id, too",
    'categories.chance.above = "chance"': "one pair of different categories",
    "categories.chance.or_equal = true": "want it beside the key above",
    'categories.chance = { above = "ones", first_roll_bonus = 5 }': "for a first roll",
    'categories.chance.above = "ones"\n[columns.a]': "= 'ones': want a card without columns",
    # What is like yahtzee already.
    'rolls = "none"\ndice = "none"\ndrop = []\nsaved_rolls = "none"': "saved_rolls = 'none': there is nothing to unset",
    'categories.chance.plus = "none"': "categories.chance.plus = 'none': there is nothing to unset",
    'categories.luck = "none"': "categories.luck = 'none': there is nothing to unset",
    'columns.x3 = "none"': "columns.x3 = 'none': want a table of keys and values",
    'options.luck = "none"': "options.luck = 'none': want a table of keys and values",
    'categories.chance.scorer = "n_of_a_kind"': "categories.chance.n is missing: the scorer n_of_a_kind needs it",
    # Options and examples.
    'drop = "chance"': "drop = 'chance': want a list of texts of one line each",
    'options.big = { default = "no", choices.yes.about = "Y." }': "big.default = 'no': want one of the choices: yes",
    'options.big = { default = "yes", choices.yes.rolls = 4 }': "choices.yes.about is missing: want one line of text",
    'options.big = { default = "a,b", choices."a,b".about = "Both." }': (
        "options.big.choices.'a,b' = {'about': 'Both.'}: a choice consists of lower-case letters, digits and _"
    ),
    '[[examples]]\nsays = "x"\ndice = "21111"\nbox = "ones"': (
        "examples[0].dice = '21111': dice '21111' are not in ascending order: write '11112'"
    ),
    '[[examples]]\nsays = "x"\ndice = "111"\nbox = "ones"': "examples[0].dice = '111': want 5 dice with faces",
    '[[examples]]\nsays = "x"\ndice = "11111"\nbox = "ones"\npoints = -1': (
        "examples[0].points = -1: want the points, or no such key where the box is closed"
    ),
}
OF_A_CATEGORY = {
    'scorer = "poker_hand", pays = 5': 'want "rank"',
    "pays = 3": "categories.foo.scorer is missing: want one line of text",
    'scorer = "n_of_a_kind"': "categories.foo.n is missing: the scorer n_of_a_kind needs it",
    'scorer = "n_of_a_kind", n = 6': "categories.foo.n = 6: want a whole number from 1 to 5",
    'scorer = "any_dice", pays = 0': "categories.foo.pays = 0: want points from 1 to 10,000",
    'scorer = "any_dice", section = "left"': "categories.foo.section = 'left': want one of upper, lower",
    'scorer = "straight"': "categories.foo: a straight needs either length or faces",
    'scorer = "straight", length = 4, faces = ["123"]': "categories.foo: a straight needs either length or faces",
    'scorer = "straight", faces = ["127"]': "categories.foo.faces = '127': want at most 5 different faces from 1 to 6",
    'scorer = "listed", hands = ["11117"]': "categories.foo.hands = '11117': want at most 5 faces from 1 to 6",
    'scorer = "flush"': "categories.foo: flush needs the table [colours], as in black = [1, 6]",
    'scorer = "sum_is", total = 3': "categories.foo can never score: no roll of 5 dice with 6 faces matches sum_is",
}
ANY = '{ scorer = "any_dice" }'
OTHERS = {
    "": "id is missing: want one line of text",
    "id = yahtzee": "this is not valid TOML: Invalid value (at line 1, column 6)",
    "rolls = " + "9" * 9_000: "this is not valid TOML: a number or a date in it is out of bounds",
    "notes = " + "[" * 20_000: "this is not valid TOML: it is nested too deeply",
    "#" * 70_000: "70,000 characters are too many for a ruleset: 65,536 at most",
    'id = "Full House"\nlike = "yahtzee"': "id = 'Full House': want a snake_case id of at most 40 characters",
    "like = 3": "like = 3: want the id of a ruleset, as in yahtzee",
    f'{HEAD}faces = ["2", "1"]\n[categories]\nfoo = {ANY}': "in notation this is the face 2, not 1",
    f'{HEAD}faces = ["A"]\n[categories]\nfoo = {ANY}': "2 to 20 different names",
    f'{HEAD}faces = ["A", "a"]\n[categories]\nfoo = {ANY}': "2 to 20 different names",
    f'{HEAD}faces = ["A", "B C"]\n[categories]\nfoo = {ANY}': "one to three letters or digits",
    f"{HEAD}faces = [1, 2]\n[categories]\nfoo = {ANY}": "want a list of texts",
    f'{HEAD}dice = 2\n[categories]\nfoo = {{ scorer = "poker_hand" }}': "needs at least 3 dice",
    HEAD: "categories is empty: a card needs at least one category",
    HEAD + "categories = 3": "categories = 3: want a table of keys and values",
    f'{HEAD}[categories]\n"a\\nb" = {ANY}': "categories.'a\\nb' = 'a\\nb': want a snake_case id",
    f"{HEAD}[categories]\nwon = {ANY}": "no box can be called 'won': the word is reserved",
    f"{HEAD}[categories]\noutright_win = {ANY}": "no box can be called 'outright_win': the word is reserved",
    f'{HEAD}upper_bonus = "35@63"\n[categories]\nfoo = {ANY}': "no category is in the upper section",
    f'{HEAD}joker = "free"\n[categories]\nfoo = {ANY}': "joker_category is missing: joker, extra_bonus and requires",
    f"{HEAD}colours.black = [1, 7]\n[categories]\nfoo = {ANY}": "colours.black = [1, 7]: want a list of faces from 1",
    f"{HEAD}[columns]\na = {{}}\nb_a = {{}}\n[categories]\nfoo = {ANY}\nfoo_b = {ANY}": (
        "two boxes would be called 'foo_b_a': rename the category or the column"
    ),
}
MALFORMED = (
    {LIKE + keys: says for keys, says in OF_YAHTZEE.items()}
    | {foo(rule): says for rule, says in OF_A_CATEGORY.items()}
    | OTHERS
)

UNKNOWN_IN_YAHTZEE = {
    "roll = 3": "roll: there is no such key; did you mean 'rolls'?",
    "[columns.a]\ntimes = 2": "columns.a.times: there is no such key; known: multiplier, order",
    'joker_category = "yatzee"': "joker_category = 'yatzee': no such category; did you mean 'yahtzee'?",
    'drop = ["chance", "chance"]': "drop: no category 'chance'; known: ones,",
    'drop = ["chance"]\ncategories.chance.pays = 7': "categories.chance is not inherited, so it needs a scorer",
    "categories.ful_house.pays = 30": "categories.ful_house is not inherited, so it needs a scorer; did you mean 'f",
    "categories.chance.n = 3": "categories.chance.n: there is no such key; known: scorer,",
    'categories.chance.above = "onse"': "categories.chance.above = 'onse': there is no such category; did you",
    'drop = ["chanse"]': "drop: no category 'chanse'; did you mean 'chance'?",
    '[[examples]]\nsays = "x"\ndice = "11111"\nbox = "one"': "examples[0].box = 'one': there is no such box; did",
}
UNKNOWN = {LIKE + keys: says for keys, says in UNKNOWN_IN_YAHTZEE.items()} | {
    foo('scorer = "house"'): "categories.foo.scorer = 'house': there is no such scorer; did you mean 'full_house'?",
    foo('scorer = "n_of_a_kind", n = 3, size = 4'): "categories.foo.size: there is no such key; known: scorer, name,",
    f'{HEAD}drop = ["foo"]\n[categories]\nfoo = {ANY}': "drop: no category 'foo'; there are none",
    'like = "yatzee"': "like = 'yatzee': there is no such ruleset; did you mean 'yahtzee'?",
}


def check_sentence(error: ValueError) -> str:
    """The sentence of an error, which is one line and not long."""
    assert str(error).isprintable()
    assert len(str(error)) < 600
    return str(error)


def _refusal(text: str, error: type[ValueError]) -> str:
    with pytest.raises(error) as caught:
        parse_ruleset(text, "my.toml")
    assert type(caught.value) is error
    return check_sentence(caught.value)


@pytest.mark.parametrize(("text", "says"), MALFORMED.items(), ids=MALFORMED.values())
def test_a_malformed_file_is_refused_with_key_value_and_expectation(text: str, says: str) -> None:
    message = _refusal(text, MalformedError)
    assert message.startswith("my.toml: ")
    assert says in message


@pytest.mark.parametrize(("text", "says"), UNKNOWN.items(), ids=UNKNOWN.values())
def test_an_unknown_name_is_refused_with_the_closest_one(text: str, says: str) -> None:
    assert _refusal(text, UnknownError).startswith(f"my.toml: {says}")


@pytest.mark.parametrize("id", ["a\u202eb", "\ufeffa", "a" * 3_000, "Crag"])
def test_an_error_begins_with_an_id_only_if_that_is_one(id: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_ruleset(f'id = "{id}"\nlike = "yahtzee"\nrolls = 0')
    assert check_sentence(caught.value).startswith("ruleset: ")


TWICE = {
    f"[categories]\nfoo = {ANY}\nfoo = {ANY}": "categories.foo is declared in line 2 and again in line 3",
    f"[categories]\n'foo' = {ANY}\n\"foo\" = {ANY}": "categories.foo is declared in line 2 and again in line 3",
    "[categories.foo]\nn = 1\n[categories.foo]\nn = 2": "categories.foo is declared in line 1 and again in line 3",
    f"[categories.foo]\nn = 1\n[categories]\nfoo = {ANY}": "categories.foo is declared in line 1 and again in line 4",
    f"[categories]\nfoo = {ANY}\n[categories.foo]\nn = 1": "categories.foo is declared in line 2 and again in line 3",
    f"categories.foo = {ANY}\ncategories.foo = {ANY}": "categories.foo is declared in line 1 and again in line 2",
    "notes = [\n'id = 3',\n]\nnotes = [\n]": "notes is declared in line 1 and again in line 4",
    "[[examples]]\nbox = 1\n[[examples]]\nbox = 1\nbox = 2": "examples.box is declared in line 4 and again in line 5",
    "rolls = 3\nrolls = 3": "rolls is declared in line 1 and again in line 2",
    "foo = { n = 1, n = 2 }": "n is declared twice in one table (at line 1, column 21)",
}


@pytest.mark.parametrize(("text", "says"), TWICE.items(), ids=TWICE.values())
def test_a_duplicate_key_is_reported_in_any_form(text: str, says: str) -> None:
    assert _refusal(text, MalformedError).startswith(f"my.toml: {says}")


REFS = [
    ("yahtzee[rolls=many]", MalformedError, "yahtzee: rolls = 'many': want a whole number from 1 to 10"),
    ("yahtzee[joker]", MalformedError, "ruleset 'yahtzee[joker]': option 'joker' is not of the form key=value"),
    ("yahtzee[rolls=4,rolls=5]", MalformedError, "ruleset 'yahtzee[rolls=4,rolls=5]': option 'rolls' is given twice"),
    ("yahtzee[house=big]", UnknownError, "yahtzee has no option 'house': known: rolls, rounds, order, joker,"),
    ("yatzy_american[boxes=14]", MalformedError, "yatzy_american: boxes = '14' is not a choice: want one of 15, 13"),
    ("yatzee", UnknownError, "there is no ruleset 'yatzee': did you mean 'yahtzee'?"),
    ("nowhere.toml", UnknownError, "there is no file 'nowhere.toml'"),
    ("my rules", MalformedError, "ruleset 'my rules': write an id or a .toml path without spaces"),
    ("", MalformedError, ""),
    ("\0.toml", UnknownError, ""),
    ("\ud800.toml", UnknownError, ""),
    ("a" * 100_000 + ".toml", UnknownError, ""),
    ("\x1b[2J", MalformedError, ""),
    ("../rulesets/yahtzee", UnknownError, ""),
    ("yahtzee[]x", MalformedError, ""),
    ("yahtzee[joker=free=free]", MalformedError, ""),
    ("yahtzee[" + "a" * 100_000 + "=1]", UnknownError, ""),
    ("yahtzee[joker=" + "a" * 100_000 + "]", MalformedError, ""),
    ("yahtzee[upper_bonus=" + "/".join(f"{i}@{i}" for i in range(1, 10_000)) + "]", MalformedError, ""),
]


@pytest.mark.parametrize(("ref", "error", "says"), REFS, ids=[f"{ref!r:.40}" for ref, _, _ in REFS])
def test_an_invalid_or_hostile_name_or_option_is_refused_with_the_expected_form(
    ref: str, error: type[ValueError], says: str
) -> None:
    with pytest.raises(error) as caught:
        load_ruleset(ref)
    assert check_sentence(caught.value).startswith(says)


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(b'id = "\xff"')
    with pytest.raises(MalformedError, match="is not UTF-8 text"):
        load_ruleset(str(path))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(UnknownError, match="cannot be read"):
        load_ruleset(str(tmp_path / "folder.toml"))


ODD_VALUES = ("true", "-1", "0", "1e9", "nan", "''", '"\\u0000"', "[]", "[1]", '["x"]', "{}", "{ x = 1 }", "2020-01-01")
KEYS = "id name about source notes like drop dice faces rolls rounds order upper_bonus extra_bonus joker joker_category"
MORE = "voluntary_zero saved_rolls colours categories columns options examples"
INNER = "categories.ones columns.a options.a options.a.default options.a.choices options.a.choices.b colours.red"
RULE = "scorer name section pays plus first_roll_bonus first_roll_wins n face length faces total distinct same_colour"


@pytest.mark.parametrize("key", f"{KEYS} {MORE} {INNER}".split())
def test_no_value_of_any_key_raises_an_unexpected_error(key: str) -> None:
    head = "".join(line for line in (HEAD, 'like = "yahtzee"\n') if not line.startswith(f"{key} "))
    for value in ODD_VALUES:
        _parse_or_refuse(f"{head}{key} = {value}")


@pytest.mark.parametrize("key", RULE.split())
def test_no_value_in_a_category_raises_an_unexpected_error(key: str) -> None:
    for scorer, value in product(SCORERS, ODD_VALUES):
        rule = {"scorer": f'"{scorer}"', "n": "2", "face": "2", "total": "9", "length": "3"} | {key: value}
        _parse_or_refuse(foo(", ".join(f"{name} = {given}" for name, given in rule.items())))


def _parse_or_refuse(text: str) -> None:
    for options in ({}, {"a": "b"}):
        try:
            assert parse_ruleset(text, "my.toml", options).boxes
        except (MalformedError, UnknownError) as error:
            check_sentence(error)


def test_too_many_rolls_and_categories_are_refused_without_scoring() -> None:
    boxes = "".join(f'box_{number} = {{ scorer = "any_dice" }}\n' for number in range(100))
    with pytest.raises(MalformedError, match=r"43,758 rolls of 10 dice with 9 faces in 100 categories are too many"):
        parse_ruleset(f'id = "x"\ndice = 10\nfaces = 9\n[categories]\n{boxes}')


BOXES = '[categories]\na = { scorer = "any_dice" }\nb = { scorer = "any_dice" }\n'
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
        *(
            ({"short": choice}, MalformedError)
            for choice in ("empty", "number", "box", "dice", "maybe", "", 10**5_000, None)
        ),
        *(({"short": choice}, UnknownError) for choice in ("unknown", "like")),
        *(({name: "no"}, UnknownError) for name in ("", "shor", "categories")),
        *(({"rolls": rolls}, MalformedError) for rolls in ("３", "²", "1_0", "+3", "0", "9" * 5_000, True, 2.0, [2])),
        *(({"rounds": rounds}, MalformedError) for rounds in (3, "\x1b[2J")),
        *(({"voluntary_zero": zero}, MalformedError) for zero in ("yes", 1)),
        *(({"upper_bonus": bonus}, MalformedError) for bonus in ("35 63", "05@03")),
        ({"order": "sideways"}, MalformedError),
        ({"joker": "free"}, MalformedError),
    ],
)
def test_hostile_options_are_refused_with_one_sentence(options: dict[str, object], kind: type[ValueError]) -> None:
    with pytest.raises(kind) as caught:
        parse_ruleset(HEAD + BOXES + OPTION, options=options)
    check_sentence(caught.value)


UPPER = f'upper_bonus = "5@3"\n{HEAD}[categories]\na = {{ scorer = "sum_of_face", face = 1 }}\n'


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (f"rounds = 1\n{HEAD}{BOXES}", {"rounds": 2}),
        *((HEAD + BOXES, {"rounds": rounds}) for rounds in (2, "02")),
        (f"extra_bonus = 0\n{HEAD}{BOXES}", {"extra_bonus": "-0"}),
        *((UPPER, {"upper_bonus": tiers}) for tiers in ("5@3", "", "7@4/5@3")),
        (HEAD + BOXES + OPTION, {"short": "no", "rolls": 2, "voluntary_zero": True, "saved_rolls": "true"}),
    ],
)
def test_the_name_of_a_variant_loads_it(text: str, options: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    ruleset = load_ruleset(str(path)).but(**options)
    assert load_ruleset(str(ruleset)) == ruleset
    assert (ruleset.digest == load_ruleset(str(path)).digest) == (not ruleset.options)
