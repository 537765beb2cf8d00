"""Settings of Sphinx for the documentation site: `make docs` builds it from the Markdown pages in `docs/`."""

import logging
import os
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from myst_parser.parsers.sphinx_ import MystParser

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from docs.site.generated import MARKER, prepared  # noqa: E402
from docs.site.names import as_rst  # noqa: E402
from docs.site.notebook import notebook_markdown  # noqa: E402

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


def setup(app: Any) -> None:
    logging.getLogger("sphinx.sphinx.directives.other").addFilter(_is_no_empty_glob)
    app.add_source_parser(NotebookParser)
    app.connect("source-read", _prepare)
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("env-get-outdated", _always_read)
