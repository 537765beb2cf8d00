"""Builds escaped HTML elements, and formats numbers for them.

>>> print(element("td", "<script>", class_="name"))
<td class="name">&lt;script&gt;</td>
>>> print(element("p", "see ", element("b", "A & B"), hidden=True))
<p hidden>see <b>A &amp; B</b></p>
"""

from markupsafe import Markup, escape

from fivedice.cli.language import chosen

_VOID = {"meta"}


def element(tag: str, /, *children: str, **attributes: str | float | bool) -> Markup:
    """An element. Children and attribute values are escaped unless they are `Markup`.

    `class_` and `aria_label` become `class` and `aria-label`. An attribute that is True has no value; one that is False
    is left out.
    """
    start = Markup("<{}").format(tag)
    for name, value in attributes.items():
        if value is not False:
            attribute = name.rstrip("_").replace("_", "-")
            start += f" {attribute}" if value is True else Markup(' {}="{}"').format(attribute, value)
    start += Markup(">")
    return start if tag in _VOID else joined(start, *children, Markup("</{}>").format(tag))


def joined(*parts: str, by: str = "") -> Markup:
    """The parts in sequence, escaped unless they are `Markup`."""
    return escape(by).join(parts)


def one_decimal(number: float) -> str:
    """A number with one decimal in the language of the command: 254.6, −3.0, never −0.0."""
    return chosen().decimal(round(number, 1) + 0.0).replace("-", "−")


def signed(number: float | None) -> str:
    """A number with its sign: +3.0, −3.0, 0.0; a dash for one that is not known."""
    if number is None:
        return "–"
    text = one_decimal(number)
    return f"+{text}" if round(number, 1) > 0 else text
