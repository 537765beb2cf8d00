"""The check of the links of the site."""

from pathlib import Path

from docs.site.check_links import dead_links


def test_dead_links_are_found_and_others_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<h1 id="x"></h1><a href="#x">1</a><a href="b.html#y">2</a><a href="https://example.com/">3</a>'
        '<a href="#z">4</a><a href="c.html">5</a><img src="d.png"><a href="b.html#x">6</a>'
    )
    (tmp_path / "b.html").write_text('<h1 id="y"></h1><a href="a.html">7</a>')
    assert list(dead_links(tmp_path)) == [
        "a.html: #z: there is no such place",
        "a.html: c.html: there is no such file",
        "a.html: d.png: there is no such file",
        "a.html: b.html#x: there is no such place",
    ]
