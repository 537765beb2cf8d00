"""Settings of Sphinx for the documentation site: `make docs` builds it from the Markdown pages in `docs/`."""

import contextlib
import logging
import os
import re
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from pygments.lexers.special import TextLexer

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

import fivedice  # noqa: E402
from docs.site.generated import MARKER, prepared  # noqa: E402
from docs.site.names import as_rst  # noqa: E402
from docs.site.notebook import notebook_markdown  # noqa: E402
from fivedice import parse_position  # noqa: E402

# Text that the site repeats must not depend on who builds it.
os.environ["FIVEDICE_LANG"] = "en"
for variable in ("FIVEDICE_DATA", "FIVEDICE_CACHE", "FIVEDICE_DATABASE"):
    os.environ.pop(variable, None)

project = "fivedice"
author = "the fivedice founders"
copyright = f"2026, {author}"
release = version = version_of("fivedice")
language = "en"
smartquotes = False  # options such as --json keep their hyphens

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".ipynb": "notebook"}
exclude_patterns = ["site", "conftest.py"]

# Markdown: the pages are read in other viewers too, so they use little beyond links, tables and code.
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# The API reference comes from docstrings, in which single backquotes mean code.
default_role = "code"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
# With the modules of types, which are not shown: lines have about 80 characters.
python_maximum_signature_line_length = 180

# Every reference must lead somewhere, except to names of other libraries, whose sites cannot be reached from here.
# Types in signatures that have no entry are shown without a link.
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r"(?!fivedice\.).*"), (r"py:class", r"fivedice\..*")]

html_theme = "furo"
html_title = "fivedice"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_logo = html_favicon = str(HERE.parents[1] / "web" / "public" / "icon.svg")
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f6f4a", "color-brand-content": "#1f6f4a"},
    "dark_css_variables": {"color-brand-primary": "#7fd1a6", "color-brand-content": "#7fd1a6"},
    "top_of_page_buttons": [],
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"


class NotebookParser(MystParser):
    """Parses a notebook as the Markdown of its cells."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: Any) -> None:
        super().parse(notebook_markdown(inputstring), document)


def _is_no_empty_glob(record: logging.LogRecord) -> bool:
    """Lists of contents name pages of parts that a checkout may not have; this warning has no type to suppress."""
    return "toctree glob pattern" not in str(record.msg)


def _prepare(app: Any, page: str, source: list[str]) -> None:
    """Fill in the generated parts of a page, and lead links to documents outside `docs/` to their pages."""
    if Path(app.env.doc2path(page)).suffix == ".md":
        source[0] = prepared(source[0], page)


def _always_read(app: Any, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """Pages with generated parts depend on the whole program."""
    return [page for page in env.found_docs if MARKER.search(Path(env.doc2path(page)).read_text(encoding="utf-8"))]


def _signature(app: Any, what: str, name: str, value: Any, options: Any, signature: str, returned: str) -> Any:
    """No arguments for a protocol, of which there are no instances."""
    return ("", returned) if getattr(value, "_is_protocol", False) else None


def _docstring(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    lines[:] = as_rst(lines)


NEEDS_NUMPY = ("solver", "analysis", "simulation", "envs", "plots")
"""The rooms whose names do not work in a browser, where there is no NumPy."""


def _needing_numpy() -> str:
    """A regular expression that finds an import of what needs NumPy."""
    names = sorted(name for name, room in fivedice._HOME.items() if room.split(".")[0] in NEEDS_NUMPY)
    return rf"import .*\b({'|'.join([*names, 'numpy', 'matplotlib', 'gymnasium'])})\b"


def _link_positions(app: Any, doctree: Any, page: str) -> None:
    """Lead positions in the text to the board, on a site beside the page."""
    if not app.config.page:
        return
    up = f"{'../' * page.count('/')}{app.config.page}"

    def link(text: str, shown: Any) -> Any:
        return nodes.reference("", "", shown, refuri=f"{up}index.html#/position/{quote(text)}", internal=False)

    for literal in list(doctree.findall(nodes.literal)):
        text = literal.astext()
        if _is_position(text) and not isinstance(literal.parent, nodes.reference):
            literal.replace_self(link(text, literal.deepcopy()))
    for block in list(doctree.findall(nodes.literal_block)):
        found = [text for text in dict.fromkeys(re.findall(r'"([^"]+)"', block.astext())) if _is_position(text)]
        if found:
            parts = [part for text in found for part in (link(text, nodes.literal("", text)), nodes.Text(" "))]
            block.parent.insert(
                block.parent.index(block) + 1, nodes.paragraph("", "", nodes.Text("On the board: "), *parts)
            )


def _is_position(text: str) -> bool:
    """Whether a text is a whole position: a ruleset, a card, dice and the rolls left."""
    with contextlib.suppress(ValueError):
        return len(text.split()) >= 4 and bool(parse_position(text))
    return False


def _add_examples(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """Let examples of tutorials run, on a site beside the page."""
    if app.config.page and page.startswith("tutorials/"):
        app.add_js_file("live.js", **{"data-page": app.config.page, "data-stop": _needing_numpy()})


def setup(app: Any) -> None:
    app.add_config_value("page", "", "html")  # where the page is, from the root of the site; empty without one
    app.add_lexer("haproxy", TextLexer)  # Pygments has none
    app.connect("doctree-resolved", _link_positions)
    app.connect("html-page-context", _add_examples)
    logging.getLogger("sphinx.sphinx.directives.other").addFilter(_is_no_empty_glob)
    app.add_source_parser(NotebookParser)
    app.connect("source-read", _prepare)
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("env-get-outdated", _always_read)
