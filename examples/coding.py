"""The memory of a coding agent: a gotcha cites the code, and is marked when that code has changed."""

from __future__ import annotations

import tempfile
from pathlib import Path

from toldonce import Memory
from toldonce.coding.citations import as_metadata, cite_lines, warn_of_changes
from toldonce.coding.codemap.seed import offer_seeds


def main() -> None:
    """A project's own rules are offered for review; a gotcha is shown with its state."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        (project / "AGENTS.md").write_text("- Always run `make lint` before a commit\n")
        code = project / "auth.py"
        code.write_text("def refresh(token):\n    return renew(token)\n")

        with Memory.open(project / "memory.db", preset="coding", background=False) as memory:
            for record in offer_seeds(memory, project):
                print("Offered for review:", record.text)
                memory.confirm(record.id)

            memory.remember(
                "refresh() does not check whether the token was revoked",
                kind="gotcha",
                metadata=as_metadata([cite_lines(project, "auth.py:1-2")]),
            )
            print("\nBefore the code changes:")
            print(memory.context("fix the refresh of tokens", annotate=warn_of_changes(project)).text)

            code.write_text("def refresh(token):\n    check_revoked(token)\n    return renew(token)\n")
            print("\nAfter the code changed:")
            print(memory.context("fix the refresh of tokens", annotate=warn_of_changes(project)).text)


if __name__ == "__main__":
    main()
