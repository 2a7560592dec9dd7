"""What a project has written down about itself is found with its place, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.coding.codemap.seed import Seed, read_seeds

AGENTS = """# Agents

## Testing

- Run `make test` before
  every commit.
- fast unit tests live in tests/unit

Never edit generated files by hand.

This project was begun in 2019 by two friends in Porto.

```
- not a statement, code
```
"""
README = """# Shop

Shop sells things.

- a feature with `code` in it

## Development

- Use `uv sync` to set up
- `make run` starts it
- see the wiki

## Licence

Use it as you like.
"""
FILES = {
    "AGENTS.md": AGENTS,
    "README.md": README,
    "pyproject.toml": '[project]\nrequires-python=">=3.11"\n\n[tool.ruff]\nline-length=100\n[tool.mypy]\nstrict=true\n',
    "package.json": '{"engines": {"node": ">=20"}, "packageManager": "pnpm@9.1.0", "type": "module"}',
    "tsconfig.json": '{\n  // strict is house style\n  "compilerOptions": {"strict": true,},\n}',
    ".prettierrc": '{"semi": false, "singleQuote": true}',
    ".editorconfig": "root = true\n\n[*.go]\nindent_style = tab\n\n[*.py]\nindent_style = space\nindent_size = 4\n",
    "rustfmt.toml": "max_width = 90\n",
    ".clang-format": "BasedOnStyle: Google\nColumnLimit: 100\n",
    "uv.lock": "",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_instruction_files_give_their_lists_and_orders_with_their_lines(project: Path) -> None:
    found = [seed for seed in read_seeds(project) if seed.file == "AGENTS.md"]
    assert found == [
        Seed("Run `make test` before every commit.", "AGENTS.md", 5),
        Seed("Testing: fast unit tests live in tests/unit", "AGENTS.md", 7),
        Seed("Never edit generated files by hand.", "AGENTS.md", 9),
    ]


def test_a_readme_gives_only_what_is_about_working_on_it(project: Path) -> None:
    found = [seed.text for seed in read_seeds(project) if seed.file == "README.md"]
    assert found == ["Use `uv sync` to set up", "Development: `make run` starts it"]


def test_manifests_and_settings_become_sentences(project: Path) -> None:
    said = {seed.text for seed in read_seeds(project)}
    assert said >= {
        "Python >=3.11 is required",
        "Lines are at most 100 characters long (ruff)",
        "Types are checked strictly with mypy: annotate every function",
        "Node >=20 is required",
        "Packages are managed with pnpm@9.1.0",
        "The package uses ES modules",
        "TypeScript is compiled in strict mode",
        "No semicolons at line ends (prettier)",
        "Strings have single quotes (prettier)",
        "Files *.go are indented with tabs (editorconfig)",
        "Files *.py are indented with spaces, 4 wide (editorconfig)",
        "Lines are at most 90 characters long (rustfmt)",
        "C and C++ follow the Google style (clang-format)",
        "Python packages are managed with uv",
    }


def test_a_setting_names_the_line_it_stands_in(project: Path) -> None:
    places = {seed.text: seed.line for seed in read_seeds(project) if seed.file == "pyproject.toml"}
    assert places["Lines are at most 100 characters long (ruff)"] == 5


def test_broken_files_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff\nline-length")
    (tmp_path / "package.json").write_text("[1, 2")
    (tmp_path / "AGENTS.md").write_bytes(b"- always \xff\xfe broken bytes here\n")
    (tmp_path / ".editorconfig").write_text("[*.py]\n[*.py]\nindent_style = tab")
    (tmp_path / "README.md").mkdir()
    assert read_seeds(tmp_path) == []


def test_plain_rules_files_and_eslint_rules_are_read(tmp_path: Path) -> None:
    (tmp_path / ".cursorrules").write_text("You write Go here.\nUse tabs in Go files\n\nName tests after promises\n")
    rules = '{"rules": {"semi": ["error", "never"], "quotes": ["error", "single"], "no-var": "off", "eqeqeq": 2}}'
    (tmp_path / ".eslintrc.json").write_text(rules)
    found = {seed.text for seed in read_seeds(tmp_path)}
    assert {"Use tabs in Go files", "Name tests after promises"} <= found
    assert {
        "No semicolons at line ends (eslint)",
        "Strings have single quotes (eslint)",
        "Values are compared with === and !== (eslint)",
    } <= found
    assert not any("var" in text for text in found)
