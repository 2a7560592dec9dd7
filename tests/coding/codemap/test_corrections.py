"""The commands of the map as the project's rules want them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import OpenMemory
from toldonce import Memory
from toldonce.coding.codemap.corrections import correct_commands
from toldonce.coding.codemap.document import to_document
from toldonce.coding.codemap.values import ModuleMap, Toolchain
from toldonce.integrations.hosts import ContextProvider
from toldonce.tools.definition import Caller

LINE = "Commands: build `npm run build`, test `npm test`, lint `eslint .`"


@pytest.mark.parametrize(
    "rules, line",
    [
        (["Use pnpm, never npm"], "Commands: build `pnpm run build`, test `pnpm test`, lint `eslint .`"),
        (["Nunca use npm, use pnpm"], "Commands: build `pnpm run build`, test `pnpm test`, lint `eslint .`"),
        (["Usamos yarn, no npm"], "Commands: build `yarn run build`, test `yarn test`, lint `eslint .`"),
        (["Use biome instead of eslint"], "Commands: build `npm run build`, test `npm test`"),
        (["Use npm", "Use pnpm"], LINE),
        (["Use tabs in Go files"], LINE),
        (["pnpm or npm, whatever you like"], LINE),
        (["Use yarn for the old admin pages of the shop at work"], LINE),
        ([], LINE),
    ],
)
def test_commands_follow_the_rules(rules: list[str], line: str) -> None:
    assert correct_commands(LINE, rules) == line


def test_a_line_whose_only_command_is_rejected_is_left_out() -> None:
    assert correct_commands("Commands: lint `eslint .`", ["Use biome, not eslint"]) == ""
    assert correct_commands("Modules: auth/, `npm`", []) == "Modules: auth/, `npm`"


def test_an_accepted_convention_corrects_the_block_and_a_proposed_one_does_not(
    open_memory: OpenMemory, tmp_path: Path
) -> None:
    memory: Memory = open_memory("coding", space="shop")
    map_ = ModuleMap(tools=Toolchain(commands={"build": "npm run build"}))
    memory.documents.change("codemap", lambda d: to_document(map_, space=d.space, at=memory.clock()))
    provider = ContextProvider(memory, Caller(root=str(tmp_path)))
    rule = memory.remember("Use pnpm, never npm", "convention", proposed=True)
    assert "`npm run build`" in provider.get_context("build it")
    memory.confirm(rule.id)
    told = provider.get_context("build it")
    assert "`pnpm run build`" in told and "`npm run" not in told
