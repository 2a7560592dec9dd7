"""How lasting statements are made in a coding session, in English."""

from __future__ import annotations

from toldonce.lang.base import SessionCues
from toldonce.lang.en.code_words import CODE_WORDS

SESSIONS = SessionCues(
    decisions=(
        r"^decision\s*:\s*\S|^(?:ok(?:ay)?,?\s+|yes,?\s+|so,?\s+)?(?:"
        r"we(?:'ve| have)? (?:decided|agreed|chose|settled)\b|(?:the )?decision is\b|let's (?:go|stick|stay) with\b"
        r"|we(?:'ll| will| are going to|'re going to) (?:use|keep|stay with|go with|stick with|drop|switch to)\b)"
    ),
    agent_decisions=(
        r"\b(?:i|we)(?:'ve| have)? (?:chose|decided to|opted for|went with|kept)\b.*\b(?:because|since|so that|over|"
        r"instead of|rather than)\b"
    ),
    conventions=(
        r"\b(?:in this|for this|throughout this|our) (?:project|repo|repository|codebase|code base|package|team)\b.*"
        r"\b(?:we|use|uses|must|should|always|never|is|are|goes?|lives?|belongs?)\b"
        r"|^(?:here,? )?we (?:(?:always|never|only)\b|(?:don't|do not) (?:use|put|write|commit|edit|mock|import|push)\b"
        r"|(?:prefer|use|keep|put|name|write) .+)"
        r"|^convention\s*:|^(?:always|never)\s+(?!mind\b|say\b)\w+"
    ),
    corrections=(
        r"^(?:no|nope|wrong|stop|don't|do not)\b.*\b(?:always|never|from now on|next time|every time|in general"
        r"|generated)\b"
        r"|^(?:please )?(?:don't|do not|never|stop) .*\b(?:without (?:asking|telling|my|our)"
        r"|(?:unless|before) (?:i|we)\b)"
        r"|\b(?:ask|check with|tell) (?:me|us) (?:first|before)\b"
    ),
    causes=(
        r"\b(?:because|root cause|the (?:problem|issue|bug|cause|reason) (?:is|was)|caused by|due to|turns? out"
        r"|fails? when|failed since|needs? .{2,40} to be)\b"
    ),
    remedies=(
        r"\b(?:fix(?:ed|es)?|solution|solved|work-?around|instead|must|always|never|make sure|ensure|avoid|do not|don't"
        r"|needs? to|ha(?:s|ve) to|prefer|use|set|call|run|pass|wrap|bump|pin|upgrade|downgrade|revert|regenerate)\b"
    ),
    findings=(
        r"\b(?:root cause|the (?:bug|actual problem|real problem|actual issue|real issue) (?:is|was)"
        r"|(?:it )?turns out)\b"
    ),
    own_doing=(
        r"\b(?:my|i|i'm|i've) (?:change|edit|edits|removed|added|forgot|renamed|suppressed|introduced|wrote|just"
        r"|still)\b"
        r"|\b(?:the|this) (?:edit|test|tests|assertion|expected value|import|linter|output format)\b"
        r"|^(?:but|now|so|then|wait|let me|good|perfect|great|yes)\b|\bstill needed\b|\broot cause fix\b|\bnow \w+s\b"
    ),
    passing=(
        r"\b(?:maybe|perhaps|might|could you|can you|would you|should (?:i|we)|what if|for now|this time|today"
        r"|temporarily|just this once)\b"
    ),
    rules=(
        r"always|never|do not|don't|avoid|prefer|use|run|keep|write|add|make sure|ensure|must|should|follow|name|put"
    ),
    about_work=(
        r"convention|style|guideline|contribut|develop|setup|set-up|getting started|install|build|test|lint|format"
        r"|commit"
        r"|require|architecture|structure|workflow|rules?\b"
    ),
    etiquette=(
        r"\bissues?\b|\bbug reports?\b|\b(?:feature )?requests?\b(?<!pull request)(?<!pull requests)"
        r"|\breport(?:ing)? (?:an? )?(?:bug|problem|vulnerabilit|security)|\bsecurity (?:polic|report|vulnerab)"
        r"|\bcode of conduct\b|\blicen[cs]e agreement\b|\bbe (?:kind|nice|respectful|patient|polite)\b"
        r"|\bmaintainers?\b|\bstack ?overflow\b|\bdiscord\b|\bmailing list\b|\brequest template\b|\bsponsor"
        r"|\bask(?:ing)? (?:a )?questions?\b|\bquestions\b|\bsupport\b|\bdonat"
    ),
    references=(
        r"\b(?:it|that|this|them|those|these|yours?|mine|both|neither|the same|the latter|the former)\b"
        r"|\b(?:first|second|third|last|latter|former|other|next) (?:one|option|approach|way|idea|proposal|plan)\b"
        r"|\b(?:option|approach|variant|plan|proposal) (?:\d|[a-d]\b)"
    ),
    stop=frozenset(
        """
        a an the and or of to in on for with without from by at as is are was were be been being it its this that these
        those not no do does did done can could should would will shall may might must have has had having i we you he
        she they them our your my me us if then else when while where which who whom what how why so than too very just
        also only into onto over under up down out off about after before again more most some any all each other such
        same own here there now via per etc use used using please
        """.split()
    ),
    actors=(
        r"(?:\b(?:users?|customers?|people|visitors?|members?|someone|somebody|everyone|everybody)"
        # One client is mostly a thing of code, and so are "test clients".
        r"|(?:^|\b(?:the|our|my|some|all|many|most) )clients)"
        r"(?= (?:are|is|get|gets|got|were|was|can|can't|cannot|cant|could|have|has|had|see|sees|keep|keeps"
        r"|report|reports|reported|complain|complains|complained|lose|loses|who|don't|dont|do not|doesn't|doesnt"
        r"|say|says|want|wants)\b)"
    ),
    code_words=CODE_WORDS,
)
