"""The words by which a coding session's lasting statements are known, in English and Portuguese; tables only."""

from __future__ import annotations

import re

_I = re.IGNORECASE

# A choice that was made, said as such. A question or a wish in the conditional is no decision.
DECISIONS = re.compile(
    r"^(?:decision|decisão)\s*:\s*\S|^(?:ok(?:ay)?,?\s+|yes,?\s+|sim,?\s+|so,?\s+)?(?:"
    r"we(?:'ve| have)? (?:decided|agreed|chose|settled)\b|(?:the )?decision is\b|let's (?:go|stick|stay) with\b"
    r"|we(?:'ll| will| are going to|'re going to) (?:use|keep|stay with|go with|stick with|drop|switch to)\b"
    r"|(?:nós )?decidimos\b|(?:nós )?optamos por\b|ficou decidido\b|combinamos\b"
    r"|vamos (?:usar|manter|ficar com|adotar|seguir com)\b|a decisão é\b)",
    _I,
)
# Where the agent says it, a reason must stand beside it.
AGENT_DECISIONS = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:chose|decided to|opted for|went with|kept)\b.*\b(?:because|since|so that|over|"
    r"instead of|rather than)\b|\b(?:escolhi|optei por|decidi|mantive)\b.*\b(?:porque|pois|em vez de|para que)\b",
    _I,
)
CONVENTIONS = re.compile(
    r"\b(?:in this|for this|throughout this|our) (?:project|repo|repository|codebase|code base|package|team)\b.*"
    r"\b(?:we|use|uses|must|should|always|never|is|are|goes?|lives?|belongs?)\b"
    r"|^(?:here,? )?we (?:(?:always|never|only)\b|(?:don't|do not) (?:use|put|write|commit|edit|mock|import|push)\b"
    r"|(?:prefer|use|keep|put|name|write) .+)"
    r"|^convention\s*:|^convenção\s*:|\b(?:neste|nesse|no nosso) (?:projeto|repositório|código)\b"
    r"|^(?:aqui,? )?(?:a gente|nós) (?:sempre|nunca|só|não usa|não usamos|usa|usamos|prefere|preferimos)\b"
    r"|^(?:always|never|sempre|nunca)\s+(?!mind\b|say\b)\w+",
    _I,
)
# A correction that will hold the next time too.
CORRECTIONS = re.compile(
    r"^(?:no|nope|wrong|stop|don't|do not|não|errado|pare)\b.*\b(?:always|never|from now on|next time|every time"
    r"|in general|generated|sempre|nunca|daqui em diante|da próxima vez|gerad[oa]s?)\b",
    _I,
)
CAUSES = re.compile(
    r"\b(?:because|root cause|the (?:problem|issue|bug|cause|reason) (?:is|was)|caused by|due to|turns? out"
    r"|fails? when|failed since|needs? .{2,40} to be|porque|a causa|o problema (?:é|era|foi)|causad[oa] por"
    r"|devido a|acontece quando|falha(?:va)? quando)\b",
    _I,
)
# A cause that the agent found by looking, said with weight.
FINDINGS = re.compile(
    r"\b(?:root cause|the (?:bug|actual problem|real problem|actual issue|real issue) (?:is|was)|(?:it )?turns out"
    r"|a causa(?: raiz)? (?:é|era|foi)|o problema real (?:é|era)|descobri que)\b",
    _I,
)
NAMES_CODE = re.compile(r"`[^`]{2,60}`|\b[\w-]+/[\w./-]+\.\w{1,5}\b|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+")
# What an agent says of its own unfinished work, which tells the next session nothing.
OWN_DOING = re.compile(
    r"\b(?:my|i|i'm|i've) (?:change|edit|edits|removed|added|forgot|renamed|suppressed|introduced|wrote|just|still)\b"
    r"|\b(?:the|this) (?:edit|test|tests|assertion|expected value|import|linter|output format)\b"
    r"|^(?:but|now|so|then|wait|let me|good|perfect|great|yes)\b|\bstill needed\b|\broot cause fix\b|\bnow \w+s\b"
    r"|\b(?:minha (?:mudança|alteração)|eu (?:removi|esqueci|adicionei|mudei)|o teste|os testes)\b",
    _I,
)
# Commands that judge code just written; their failures are of the moment.
JUDGES = re.compile(
    r"\b(?:lint|fmt|format|ruff|black|mypy|pyright|eslint|prettier|tsc|clippy|vet|golangci-lint|build|compile|"
    r"typecheck|type-check|check)\b",
    _I,
)
# Words that make a sentence a matter of the moment, or somebody's guess.
PASSING = re.compile(
    r"\?\s*$|\b(?:maybe|perhaps|might|could you|can you|would you|should (?:i|we)|what if|for now|this time|today"
    r"|temporarily|just this once|talvez|será que|você (?:pode|poderia)|por enquanto|desta vez|hoje|provisoriamente"
    r")\b",
    _I,
)
# Failures that tell of the surroundings, not of the code.
SURROUNDINGS = re.compile(
    r"command not found|missing script|No module named|ModuleNotFoundError|Cannot find module|ECONNREFUSED"
    r"|Connection refused|ConnectionError|could not connect|environment variable|is not set|KeyError: '[A-Z][A-Z0-9_]+'"
    r"|not recognized|permission denied|No such file or directory|externally-managed|version .* (?:required|not)",
    _I,
)
