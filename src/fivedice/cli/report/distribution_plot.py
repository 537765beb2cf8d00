"""`plot`: a picture of a distribution, as SVG or PNG: bars by score, and lines at the mean and the quartiles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from xml.etree.ElementTree import Element, SubElement, tostring

from fivedice.base.extras import needs_extra
from fivedice.cli.language import chosen, say
from fivedice.solver.play.distribution import Distribution

WIDTH, HEIGHT = 800, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 56, 60
RARE = 0.0005
"""The chance of scores at either end that the picture leaves out, and a histogram puts into its first and last line."""
SCALE = 2
"""Pixels of a PNG for each unit, for sharp screens."""

INK, PAPER, BAR, LINE = "#1d2433", "#ffffff", "#3f6fb5", "#c2410c"


@dataclass(frozen=True)
class _Bar:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True)
class _Text:
    """Words; `anchor` is start, middle or end, as in SVG."""

    x: float
    y: float
    words: str
    size: int = 14
    anchor: str = "middle"


def plot(distribution: Distribution, name: str, *, is_svg: bool) -> bytes:
    """The picture of a distribution of final scores under the rules called `name`."""
    shapes = _shapes(distribution, name)
    return _svg(shapes, distribution, name) if is_svg else _png(shapes)


def _shapes(distribution: Distribution, name: str) -> list[_Bar | _Text]:
    low, high = distribution.percentile(RARE), distribution.percentile(1 - RARE)
    shown = distribution.chances[low - distribution.first : high - distribution.first + 1]
    most = float(shown.max())
    unit = (WIDTH - LEFT - RIGHT) / (high - low + 1)

    def across(score: float) -> float:
        return LEFT + (score - low) * unit

    def down(chance: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance / most)

    bottom = down(0.0)
    shapes: list[_Bar | _Text] = [
        _Text(LEFT, 26, say("{name}: final score with best play", name=name), 18, "start"),
        _Text(LEFT, 46, _caption(distribution), 13, "start"),
    ]
    shapes += [
        _Bar(across(low + place), down(chance), unit, bottom - down(chance), BAR)
        for place, chance in enumerate(shown.tolist())
        if chance
    ]
    for chance in (most / 2, most):
        shapes.append(_Text(LEFT - 8, down(chance) + 5, f"{100 * chance:.2g} %", anchor="end"))
    shapes.append(_Bar(LEFT, bottom, WIDTH - LEFT - RIGHT, 1, INK))
    step = next(step for step in round_steps(1) if high - low <= 10 * step)  # between about eight labels
    for score in range(-(-low // step) * step, high + 1, step):
        shapes += [_Bar(across(score + 0.5), bottom, 1, 5, INK), _Text(across(score + 0.5), bottom + 22, str(score))]
    shapes.append(_Text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, say("points")))
    mean = across(distribution.mean + 0.5)
    shapes += [_Bar(mean - 1, TOP, 2, bottom - TOP, LINE), _Text(mean + 6, TOP + 12, say("mean"), anchor="start")]
    return shapes


def _caption(distribution: Distribution) -> str:
    low, high = distribution.percentile(0.05), distribution.percentile(0.95)
    return say(
        "mean {mean}, standard deviation {deviation}; 9 of 10 games between {low} and {high}; rarer than 1 in 1,000 "
        "left out",
        mean=_one_decimal(distribution.mean),
        deviation=_one_decimal(distribution.standard_deviation),
        low=low,
        high=high,
    )


def _one_decimal(number: float) -> str:
    return chosen().decimal(round(number, 1) + 0.0).replace("-", "−")


def _svg(shapes: Sequence[_Bar | _Text], distribution: Distribution, name: str) -> bytes:
    picture = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {HEIGHT}",
            "role": "img",
            "font-family": "system-ui, sans-serif",
        },
    )
    SubElement(picture, "title").text = f"{name}: {_caption(distribution)}"
    SubElement(picture, "rect", width=str(WIDTH), height=str(HEIGHT), fill=PAPER)
    for shape in shapes:
        if isinstance(shape, _Bar):
            size = {"width": f"{shape.width:.2f}", "height": f"{shape.height:.2f}"}
            SubElement(picture, "rect", size, x=f"{shape.x:.2f}", y=f"{shape.y:.2f}", fill=shape.colour)
        else:
            style = {"text-anchor": shape.anchor, "font-size": str(shape.size), "fill": INK}
            SubElement(picture, "text", style, x=f"{shape.x:.1f}", y=f"{shape.y:.1f}").text = shape.words
    return tostring(picture) + b"\n"


def _png(shapes: Sequence[_Bar | _Text]) -> bytes:
    with needs_extra("A PNG picture", "plot"):
        from PIL import Image, ImageDraw, ImageFont

    anchors = {"start": "ls", "middle": "ms", "end": "rs"}
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), PAPER)
    draw = ImageDraw.Draw(image)
    for shape in shapes:
        x, y = shape.x * SCALE, shape.y * SCALE
        if isinstance(shape, _Bar):
            right, bottom = x + max(1.0, shape.width * SCALE) - 1, y + max(1.0, shape.height * SCALE) - 1
            draw.rectangle((x, y, right, bottom), fill=shape.colour)
        else:
            font = ImageFont.load_default(shape.size * SCALE)
            draw.text((x, y), shape.words, fill=INK, font=font, anchor=anchors[shape.anchor])
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def round_steps(first: int) -> Iterator[int]:
    """Distances between round numbers from a power of ten on: 1, 2, 5, 10, 20, 50 and so on."""
    power = first
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10
