"""Names of players: 1 to 40 visible characters, as people count them, of any script, emoji included."""

import re
import unicodedata
from collections.abc import Iterator

from fivedice.base.errors import MalformedError

MAX_GRAPHEMES = 40
MAX_MARKS = 16
"""Code points of one grapheme: the longest emoji has ten."""

MAX_STACKED, MAX_STACKED_LETTERS = 4, 8
"""Marks in a row on one character, so that none reaches into other lines. A letter of Hebrew has up to four; Tibetan,
Burmese and Khmer stack letters, which are marks in Unicode."""

MAX_NAME_CHARACTERS = MAX_GRAPHEMES * MAX_MARKS
"""Code points of a name."""

_ZWJ, _ZWNJ = "\u200d", "\u200c"
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and a symbol that look like a blank."""
_JOINING_LETTERS = frozenset("\u0e33\u0eb3")
"""The vowel AM of Thai and Lao: it follows its consonant as a mark does."""
_EMOJI = "\u203c-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001ffff"
_SELECTED = re.compile(
    rf"(?<=[#*0-9\u00a9\u00ae{_EMOJI}])[\ufe0e\ufe0f]|(?<=[\u3400-\u9fff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
    "|(?<=\U0001f3f4)[\U000e0020-\U000e007f]+"
)
"""Selectors after an emoji, a digit or an ideograph that has several forms, and the tags of a flag: they are seen."""
_JOINED = re.compile(
    rf"(?<=[\u0590-\u109f\u1780-\u18af\ua8e0-\uabff])[\u200c\u200d]|(?<=[{_EMOJI}])\u200d(?=[{_EMOJI}])"
)
"""Joiners of scripts whose letters change their shape, and of emoji."""
_UNSEEN = re.compile("[\u034f\u200c\u200d\ufe00-\ufe0f\U000e0020-\U000e01ef]")
_VIRAMA = 9
"""The combining class of signs that join two consonants of an Indic script."""


def checked_name(text: str) -> str:
    """The `normal_name` of a text.

    Raises `MalformedError`, whose sentence shows nothing of the name, for an empty or long name, for characters that
    control the terminal or the direction of the text, and for invisible ones that change nothing that is seen.
    """
    name = normal_name(text)
    if fault := _fault(name):
        raise MalformedError(fault)
    size = 0
    for grapheme in graphemes(name):
        size += 1
        if len(grapheme) > MAX_MARKS:
            raise MalformedError(f"a name has at most {MAX_MARKS - 1} marks on one character")
        if _is_stack(grapheme):
            raise MalformedError(f"a name has at most {MAX_STACKED} marks in a row on one character")
    if _UNSEEN.search(_JOINED.sub("", _SELECTED.sub("", name))):
        raise MalformedError("a name cannot contain invisible characters that join nothing")
    if size > MAX_GRAPHEMES:
        raise MalformedError(f"a name has at most {MAX_GRAPHEMES} characters; this one has {size}")
    return name


def normal_name(text: str) -> str:
    """The name in NFC, with plain blanks and none around it, whether it is allowed or not."""
    plain = "".join(" " if unicodedata.category(one) == "Zs" else one for one in unicodedata.normalize("NFC", text))
    return plain.strip()


def numbered(name: str, number: int) -> str:
    """A name with a number, which tells it from one that looks like it; its end gives way to that."""
    mark = f" {number}"
    return "".join(list(graphemes(name))[: MAX_GRAPHEMES - len(mark)]) + mark


def is_name(text: str) -> bool:
    """Whether a text can be a name in a record. It does not count graphemes, which depend on the version of Unicode."""
    return text == text.strip() and not _fault(text)


def graphemes(text: str) -> Iterator[str]:
    """The characters of a text as people count them: approximately Unicode's extended grapheme clusters, and never
    more of them."""
    cluster = ""
    for one in text:
        if cluster and not _extends(cluster, one):
            yield cluster
            cluster = ""
        cluster += one
    if cluster:
        yield cluster


def _fault(name: str) -> str:
    """What is wrong with a name, in a sentence; empty if nothing is."""
    if any(one in _BIDI for one in name):
        return "a name cannot contain characters that change the direction of text"
    if any(unicodedata.category(one) in ("Cc", "Zl", "Zp") for one in name):
        return "a name cannot contain control characters, such as a line break"
    if not all(map(_is_allowed, name)):
        return "a name cannot contain invisible or private characters"
    if not any(map(_is_visible, name)):
        return "a name needs at least one visible character"
    if len(name) > MAX_NAME_CHARACTERS:
        return f"a name has at most {MAX_GRAPHEMES} characters"
    return ""


def _is_allowed(one: str) -> bool:
    category = unicodedata.category(one)
    if category == "Cf":
        return one in (_ZWJ, _ZWNJ) or _is_tag(one)
    if category == "Cn":
        # Emoji and scripts newer than this Python are in planes 1 to 3. The last two code points of a plane are none.
        return 0x1_0000 <= ord(one) < 0x4_0000 and ord(one) & 0xFFFE != 0xFFFE
    return category not in ("Cc", "Co", "Cs", "Zl", "Zp")


def _is_visible(one: str) -> bool:
    return unicodedata.category(one)[0] not in "ZM" and one not in _BLANK and unicodedata.category(one) != "Cf"


def _is_tag(one: str) -> bool:
    """Whether a character is a tag, which spells the region of a flag."""
    return "\U000e0020" <= one <= "\U000e007f"


def _extends(cluster: str, one: str) -> bool:
    """Whether a character belongs to the grapheme before it."""
    last, category = cluster[-1], unicodedata.category(one)
    if one in (_ZWJ, _ZWNJ) or category[0] == "M" or one in _JOINING_LETTERS:
        return True
    if _is_tag(one) or "\U0001f3fb" <= one <= "\U0001f3ff":  # a skin tone
        return True
    if last == _ZWJ:
        return _is_pictograph(cluster[0]) and _is_pictograph(one)
    if _is_regional(one):
        return len(cluster) == 1 and _is_regional(last)  # two letters are one flag
    if "\u1160" <= one <= "\u11ff":  # vowels and final consonants of Korean
        return "\u1100" <= last <= "\u11ff" or "\uac00" <= last <= "\ud7a3"
    return category == "Lo" and unicodedata.combining(last) == _VIRAMA


def _is_stack(grapheme: str) -> bool:
    """Whether a character has more marks in a row than any script needs."""
    num_marks = num_letters = 0
    for one in grapheme:
        if one in (_ZWJ, _ZWNJ) or "\ufe00" <= one <= "\ufe0f":
            continue  # invisible, and does not end the row
        is_mark = unicodedata.category(one) in ("Mn", "Me")
        num_letters = num_letters + 1 if is_mark else 0
        is_letter = "\u0f00" <= one <= "\u109f" or "\u1780" <= one <= "\u17ff"
        num_marks = num_marks + 1 if is_mark and not is_letter else 0
        if num_marks > MAX_STACKED or num_letters > MAX_STACKED_LETTERS:
            return True
    return False


def _is_pictograph(one: str) -> bool:
    return unicodedata.category(one) in ("So", "Sm", "Cn")


def _is_regional(one: str) -> bool:
    return "\U0001f1e6" <= one <= "\U0001f1ff"
