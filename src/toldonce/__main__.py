"""The command `toldonce`. Hooks go straight to their own entry point, which imports little; the rest is the CLI."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the arguments name."""
    if sys.argv[1:2] == ["hook"] and "--help" not in sys.argv and "-h" not in sys.argv:
        from toldonce.coding.hooks.entry import run_hook as hook

        sys.exit(hook(sys.argv[2:]))
    from toldonce.cli.main import run_cli as commands

    commands()


if __name__ == "__main__":
    main()
