"""The table and the picture of the frontier have every point."""

import re
from xml.etree import ElementTree

from benchmarks.tables.frontier import frontier_picture, frontier_table, points_of
from fivedice.solver.play.distribution import frontier
from fivedice.testing import TINY

SVG = "{http://www.w3.org/2000/svg}"
RISKS = (-0.5, -0.1, 0.0, 0.1, 0.5)


def test_the_table_and_the_picture_have_every_point() -> None:
    points = points_of(frontier(TINY["tiny_joker"], RISKS))
    header, rule, *rows = frontier_table(points)
    assert header.count("|") == rule.count("|") == rows[0].count("|")
    assert [row.split(" | ")[0] for row in rows] == ["| −0.5", "| −0.1", "| 0", "| +0.1", "| +0.5"]
    for row, point in zip(rows, points, strict=True):
        assert f"| {point.mean:.2f} | {point.deviation:.2f} |" in row

    root = ElementTree.fromstring(frontier_picture(points))  # noqa: S314 - our own text
    circles = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in root.iter(f"{SVG}circle")]
    assert len(circles) == len(points)
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    assert all(0 < x < width and 0 < y < height for x, y in circles)
    # Further right for a greater deviation, and higher up, so with a smaller y, for a higher mean.
    by_deviation = sorted(range(len(points)), key=lambda number: points[number].deviation)
    assert sorted(x for x, _ in circles) == [circles[number][0] for number in by_deviation]
    assert min(circles, key=lambda place: place[1]) == circles[2]
    labels = {text.text for text in root.iter(f"{SVG}text")}
    assert {"−0.5", "−0.1", "0", "+0.1", "+0.5"} <= labels
    assert "prefers-color-scheme:dark" in frontier_picture(points)
    assert not re.search(r"(href|src)=", frontier_picture(points))
