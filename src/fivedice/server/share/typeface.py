"""`Typeface`: the font of the page for pictures, or Pillow's own if the page is not built."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from PIL import ImageFont

from fivedice.game.names import graphemes

_NO_CHARACTER = "\uffff"
_PROBE_SIZE = 24
_FILES = ("figtree-latin-wght-normal-*.woff2", "figtree-latin-ext-wght-normal-*.woff2")

Font = ImageFont.FreeTypeFont


class Typeface:
    """Fonts that complement each other: a character is drawn with the first font that has it.

    Characters that none of them has, such as emoji and Chinese, are left out: a server has no fonts for all scripts.
    """

    def __init__(self, assets: Path) -> None:
        self._files: Sequence[Path] = [file for pattern in _FILES for file in sorted(assets.glob(pattern))]
        self._font = lru_cache(maxsize=128)(self._load)
        self._index = lru_cache(maxsize=4_096)(self._find)

    def shown(self, text: str) -> str:
        """The part of a text that can be drawn, with single blanks."""
        drawn = (part for part in graphemes(text) if all(self._index(one) is not None for one in part))
        return " ".join("".join(drawn).split())

    def runs(self, text: str, size: int, weight: int) -> Iterator[tuple[str, Font]]:
        """The parts of a text with their fonts, from left to right."""
        for index, run in groupby(text, lambda one: self._index(one) or 0):
            yield "".join(run), self._font(index, size, weight)

    def width(self, text: str, size: int, weight: int) -> float:
        """The width of a text in pixels."""
        return sum(font.getlength(run) for run, font in self.runs(text, size, weight))

    def fit(self, text: str, size: int, weight: int, width: float) -> str:
        """The text, or its beginning with an ellipsis if it is wider."""
        if self.width(text, size, weight) <= width:
            return text
        parts = list(graphemes(text))
        while parts and self.width("".join(parts).rstrip() + "…", size, weight) > width:
            parts.pop()
        return "".join(parts).rstrip() + "…"

    def lines(self, text: str, size: int, weight: int, width: float) -> list[str]:
        """The text in lines that break between words; a longer word is cut."""
        lines: list[str] = []
        for word in text.split():
            if lines and self.width(f"{lines[-1]} {word}", size, weight) <= width:
                lines[-1] += f" {word}"
            else:
                lines.append(self.fit(word, size, weight, width))
        return lines

    def _load(self, index: int, size: int, weight: int) -> Font:
        if not self._files:
            default = ImageFont.load_default(size)
            assert isinstance(default, Font), "Pillow has FreeType in all its wheels"
            return default
        font = ImageFont.truetype(self._files[index], size)
        font.set_variation_by_axes([weight])
        return font

    def _find(self, one: str) -> int | None:
        """The first font that has a character."""
        if one.isspace():
            return 0
        for index in range(max(1, len(self._files))):
            font = self._font(index, _PROBE_SIZE, 400)
            if bytes(font.getmask(one)) != bytes(font.getmask(_NO_CHARACTER)):
                return index
        return None
