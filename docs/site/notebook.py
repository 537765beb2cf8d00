"""A notebook as a page, with the outputs that are stored in it."""

import json
from typing import Any


def notebook_markdown(text: str) -> str:
    """Markdown with the cells of a notebook in order, and the stored text and pictures of each."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
        elif cell["cell_type"] == "code" and source:
            parts += [_fenced("python", source), *map(_output, cell["outputs"])]
    return "\n\n".join(filter(None, parts)) + "\n"


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "error":
        return _fenced("text", f"{output['ename']}: {output['evalue']}")
    if output["output_type"] == "stream":
        return _fenced("text", _joined(output["text"]).rstrip("\n"))
    data = output["data"]
    if "image/svg+xml" in data:
        svg = _joined(data["image/svg+xml"])
        return "```{raw} html\n" + svg[svg.index("<svg") :] + "\n```"
    if "image/png" in data:
        return f'```{{raw}} html\n<img alt="" src="data:image/png;base64,{_joined(data["image/png"]).strip()}">\n```'
    return _fenced("text", _joined(data["text/plain"]))


def _joined(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)


def _fenced(language: str, text: str) -> str:
    return f"````{language}\n{text}\n````"
