"""`Html`, text that is markup already, and `element`, which escapes whatever is not.

>>> element("td", "<script>", class_="name")
'<td class="name">&lt;script&gt;</td>'
>>> element("p", "see ", element("b", "A & B"), hidden=True)
'<p hidden>see <b>A &amp; B</b></p>'
"""

from html import escape

_VOID = {"meta"}


class Html(str):
    """Markup. Only `element` and `joined` make it from strings of others, and they escape them."""

    __slots__ = ()


def element(tag: str, /, *children: str, **attributes: str | float | bool) -> Html:
    """An element. Children that are not `Html` are escaped, and so are attributes; `class_` and `aria_label` are
    `class` and `aria-label`, and an attribute that is True has no value, one that is False is left out."""
    start = tag
    for name, value in attributes.items():
        if value is not False:
            attribute = name.rstrip("_").replace("_", "-")
            start += f" {attribute}" if value is True else f' {attribute}="{escape(str(value))}"'
    if tag in _VOID:
        return Html(f"<{start}>")
    return Html(f"<{start}>{joined(*children)}</{tag}>")


def joined(*parts: str, by: str = "") -> Html:
    """Parts one after the other, escaped where they are not `Html`."""
    return Html(by.join(part if isinstance(part, Html) else escape(part) for part in parts))


def one_decimal(number: float) -> str:
    """A number as the page shows it: 254.6, −3.0, never −0.0."""
    return f"{round(number, 1) + 0.0:.1f}".replace("-", "−")


def signed(number: float) -> str:
    """A number with its sign: +3.0, −3.0, 0.0."""
    text = one_decimal(number)
    return text if text.startswith("−") or text == "0.0" else f"+{text}"
