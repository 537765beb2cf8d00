"""The parts that build the site: notebooks as Markdown, and the check of links."""

import json
from pathlib import Path

from docs.site.check_links import dead_links
from docs.site.generated import prepared
from docs.site.names import as_rst
from docs.site.notebook import notebook_markdown


def test_a_notebook_becomes_its_cells_with_their_stored_outputs() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A title\n", "and text"]},
        {
            "cell_type": "code",
            "source": "1 + 1",
            "outputs": [
                {"output_type": "stream", "text": ["hello\n"]},
                {"output_type": "execute_result", "data": {"text/plain": "2"}},
                {"output_type": "display_data", "data": {"image/svg+xml": "<?xml?><svg/>", "text/plain": "<Figure>"}},
            ],
        },
    ]
    text = notebook_markdown(json.dumps({"cells": cells}))
    assert text.startswith(
        "# A title\nand text\n\n````python\n1 + 1\n````\n\n````text\nhello\n````\n\n````text\n2\n````"
    )
    assert "<svg/>" in text
    assert "<Figure>" not in text


def test_markdown_in_a_docstring_becomes_restructuredtext() -> None:
    lines = ["## Title", "", "Text.", "", "```python", "## a comment", "", "x = 1", "```", "", "More."]
    code = [".. code-block:: python", "", "    ## a comment", "", "    x = 1"]
    assert as_rst(lines) == [".. rubric:: Title", "", "Text.", "", *code, "", "More."]


def test_a_link_out_of_the_folder_leads_to_the_page_of_the_document() -> None:
    text = "[a](../../CONTRIBUTING.md#layers) and [b](../README.md)"
    assert prepared(text, "project/index") == "[a](../contributing.md#layers) and [b](../README.md)"


def test_the_document_of_a_page_has_links_as_from_the_folder_of_pages() -> None:
    text = prepared("<!-- generated: document CONTRIBUTING.md -->\n", "contributing")
    assert "](architecture.md)" in text
    assert "](docs/" not in text


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
