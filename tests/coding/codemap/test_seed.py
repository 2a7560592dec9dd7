"""What a project has written down about itself is found with its place, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from toldonce.coding.codemap.seed import Seed, read_seeds

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


FLAT = """import stylistic from '@stylistic/eslint-plugin'
// rules: { eqeqeq: 'error' }
export default [
  {
    rules: {
      'no-debugger': 'error',
      'no-console': ['error', { allow: ['warn'] }],
      '@stylistic/quotes': ['error', 'single'],
      "max-len": ["warn", { code: 100 }],
      indent: [2, 'tab'],
      'no-var': 'off',
      'no-restricted-syntax': ['error', { selector: 'X', message: 'Use the `extend` helper, ' + 'not spread.' }],
    },
  },
  { rules: { semi: 'error' } },
]
"""
YAML = """root: true
rules:
  # as prettier does
  quotes: [error, double]
  indent:
  - error
  - 2
  max-len:
    - warn
    - 110
  "no-var": error
  eqeqeq: off
"""


@pytest.mark.parametrize(
    "name, text, found",
    [
        (
            "eslint.config.mjs",
            FLAT,
            {
                ("Nothing is printed with console.log (eslint)", 7),
                ("Strings have single quotes (eslint)", 8),
                ("Lines are at most 100 characters long (eslint)", 9),
                ("Code is indented with tabs (eslint)", 10),
                ("Use the `extend` helper, not spread. (eslint)", 12),
                ("Statements end with semicolons (eslint)", 0),
            },
        ),
        (".eslintrc.cjs", "module.exports = { rules: { quotes: 2 }", {("Strings have double quotes (eslint)", 0)}),
        (
            ".eslintrc.yml",
            YAML,
            {
                ("Strings have double quotes (eslint)", 4),
                ("Code is indented by 2 spaces (eslint)", 5),
                ("Lines are at most 110 characters long (eslint)", 8),
                ("Variables are declared with const or let, never var (eslint)", 11),
            },
        ),
        (
            "package.json",
            '{"eslintConfig": {"rules": {"max-len": ["error", {"code": 90}]}},\n"prettier": {"semi": false}}',
            {("Lines are at most 90 characters long (eslint)", 0), ("No semicolons at line ends (prettier)", 0)},
        ),
        (
            ".prettierrc",
            "# style\nsemi: false\nprintWidth: 100\ntrailingComma: 'all'\n",
            {
                ("No semicolons at line ends (prettier)", 2),
                ("Lines are at most 100 characters long (prettier)", 3),
                ("Trailing commas: all (prettier)", 4),
            },
        ),
        (".prettierrc.toml", "useTabs = true\n", {("Code is indented with tabs (prettier)", 1)}),
        (
            "prettier.config.js",
            "export default {\n  singleQuote: true,\n}\n",
            {("Strings have single quotes (prettier)", 2)},
        ),
        (".prettierrc.yaml", "- a\n- b\n", set()),
        (".eslintrc.yaml", "rules: [a, b]\n", set()),
    ],
)
def test_linters_and_formatters_are_read_in_every_form(
    tmp_path: Path, name: str, text: str, found: set[tuple[str, int]]
) -> None:
    (tmp_path / name).write_text(text)
    assert {(seed.text, seed.line) for seed in read_seeds(tmp_path)} == found


def test_commands_and_orders_of_a_readme_are_read(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(
        "# Shop\n\n```sh\nnpm i shop\n```\n\n## Development\n\nIt is plain Node. Never commit to main. See docs.\n\n"
        "```sh\n# run the tests\nnpm test\ncd sub\nnpm run lint  # checks the style\n```\n\n```js\nshop.open()\n```\n"
    )
    (tmp_path / "README.rst").write_text(
        "Shop\n====\n\nTesting\n-------\n\nUse tox for all of it.\n\n    $ tox -e py312\n"
    )
    assert [(seed.text, seed.line) for seed in read_seeds(tmp_path)] == [
        ("Never commit to main.", 9),
        ("run the tests: `npm test`", 13),
        ("checks the style: `npm run lint`", 15),
        ("Use tox for all of it.", 7),
        ("Testing: `tox -e py312`", 9),
    ]


def test_issue_etiquette_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "CONTRIBUTING.md").write_text(
        "# Contributing\n\n## Issues\n\n- Include the version and the operating system.\n\n## Code\n\n"
        "- Search existing issues before you begin.\n- Be kind to each other, always.\n"
        "- Run `make lint` to find issues\n- Add tests for every change.\n- Open pull requests against `main`\n"
    )
    assert [seed.text for seed in read_seeds(tmp_path)] == [
        "Run `make lint` to find issues",
        "Add tests for every change.",
        "Code: Open pull requests against `main`",
    ]
