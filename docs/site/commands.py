"""The reference of commands, from the same text as `fivedice COMMAND --help`."""

import re

from fivedice.cli.app import app


def command_reference() -> str:
    """Markdown with a heading for each command, its usage and its options."""
    text = app.generate_docs(output_format="markdown", heading_level=1)
    _, heading, commands = text.partition("\n## fivedice ")
    # A default that is empty or off says nothing, and a usage line is not what a console printed.
    text = re.sub(r" \*\[default: (?:False|\(\))\]\*", "", heading.lstrip() + commands)
    return text.replace("```console\n", "```text\n")
