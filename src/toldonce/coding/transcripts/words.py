"""The cues by which a coding session's lasting statements are known: those of all languages, and those of tools."""

from __future__ import annotations

import re

from toldonce.lang.registry import unite_patterns

# A choice that was made, said as such. A question or a wish in the conditional is no decision.
decisions = unite_patterns(lambda language: language.sessions.decisions)
# The agent's own decisions count only together with a reason.
agent_decisions = unite_patterns(lambda language: language.sessions.agent_decisions)
conventions = unite_patterns(lambda language: language.sessions.conventions)
# A correction that will hold the next time too.
corrections = unite_patterns(lambda language: language.sessions.corrections)
# What points at something that was said before.
references = unite_patterns(lambda language: language.sessions.references)
causes = unite_patterns(lambda language: language.sessions.causes)
# A cause that the agent found by looking, said with weight.
findings = unite_patterns(lambda language: language.sessions.findings)
# What an agent says of its own unfinished work, which tells the next session nothing.
own_doing = unite_patterns(lambda language: language.sessions.own_doing)
# Words that make a sentence a matter of the moment, or somebody's guess.
passing = unite_patterns(lambda language: language.sessions.passing, r"\?\s*$|{}")

NAMES_CODE = re.compile(r"`[^`]{2,60}`|\b[\w-]+/[\w./-]+\.\w{1,5}\b|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+")
# Commands that judge code just written; their failures are of the moment.
JUDGES = re.compile(
    r"\b(?:lint|fmt|format|ruff|black|mypy|pyright|eslint|prettier|tsc|clippy|vet|golangci-lint|build|compile|"
    r"typecheck|type-check|check)\b",
    re.IGNORECASE,
)
# Failures caused by the environment, not by the code.
SURROUNDINGS = re.compile(
    r"command not found|missing script|No module named|ModuleNotFoundError|Cannot find module|ECONNREFUSED"
    r"|Connection refused|ConnectionError|could not connect|environment variable|is not set|KeyError: '[A-Z][A-Z0-9_]+'"
    r"|not recognized|permission denied|No such file or directory|externally-managed|version .* (?:required|not)",
    re.IGNORECASE,
)
