"""How questions of each type are put in English."""

from __future__ import annotations

from toldonce.lang.base import Questions

QUESTIONS = Questions(
    anything=(
        r"^\W*(?:(?:who|what|where|when|how)['’]?s?|whom|whose|which|why|is|are|was|were|do|does|did|can(?!['’]t)|could"
        r"|would|will|should|have|has|had|tell|list|name|give|show|summari[sz]e|summary|describe|explain|remind|find)\b"
    ),
    to_do=(
        r"^\W*(?:please |let's )?(?:add|build|change|check|clean|compare|create|debug|delete|draft"
        r"|finish|fix|help|implement|improve|install|make|move|plan|refactor|remove|rename|review|rewrite|run"
        r"|set up|test"
        r"|translate|try|update|use|write)(?![\w-])"
    ),
    self=r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b",
    begins_with_self=r"^\W*(?:\w+[,:] |(?:and|but|so|today|yesterday) )?(?:i|we)\b",
    when=(
        r"^\W*(?:(?:since |until )?when|(?:on |in )?(?:what|which) (?:date|day|month|year)|(?:at )?what time)\b"
        r"|\bhow (?:long|many (?:days|weeks|months|years|hours))\b"
    ),
    you=r"\byou(?:r|rs)?\b",
    polite=r"\b(?:can|could|would|will|do) you\b(?: please)?|thank you",
    help=(
        r"\b(?:how (?:do|can|could|should|would|might) (?:i|we|you|one)|(?:should|can|could|may) (?:i|we)"
        r"|(?:can|could|would|will) you|do you (?:think|have any|know any|recommend|suggest)|what are some|help me"
        r"|any (?:advice|tips?|ideas?|thoughts|suggestions?|recommendations?))\b"
        r"|(?:^|[.!?]\s)\W*(?:please )?(?:how to|explain|describe|recommend|suggest|write|draft)\b"
    ),
    said=(
        r"\b(?:did|remind\w*|remember|said|told|mention\w*|discuss\w*|talked|earlier|last time"
        r"|previous (?:chat|conversation|session|answer)s?)\b"
    ),
    order=(
        r"\b(?:(?:in|by) (?:what|which) order|the order (?:in which|of|that)|chronolog\w+|the sequence (?:of"
        r"|in which))\b"
    ),
    summary=r"\bsummar|\brecap\b|\boverview\b",
    now=(
        r"\b(?:current(?:ly)?|now(?:adays)?|latest|newest|(?:most )?recent(?:ly)?|these days|today|still|so far"
        r"|up to date|anymore)\b"
    ),
    earlier=(
        r"\b(?:initially|originally|previously|formerly|earlier|before|used to|ago|back then|at the time|at first"
        r"|when (?:i|we)|last (?:week|month|year)|history|evol\w+|over time)\b"
    ),
    happened=r"\b(?:did|was|were|had)\b",
    first=r"\b(?:first|initial|original|previous|former|old)\b",
    quantity=r"\bhow (?:many|much|often|long|far|old|big)\b",
    several=(
        r"\b(?:both|each of|which of|how (?:many|often)|how much in all|all (?:the|my|of|his|her|our|their)|every time"
        r"|in common|other than|besides|other|changed|differ\w*|compar\w+)\b"
        r"|\b(?:what|which) (?:(?:kinds?|sorts?|types?) of |(?:are|were) (?:the |some |all )?)?(?:\w+ )?"
        r"(?!this|his|was|is|does|has|ours|yours)\w{3,}s (?:\w+ ){0,2}"
        r"(?:do|does|did|has|have|are|were|can|could|will|would|is|was|of)\b"
        r"|\bwhat (?:are|were)\b|\bwhat are some\b"
    ),
    goes_on=r"^\W*(?:and|but|or|also|what about|how about)\b",
    # Advice, and questions about several things at once: no statement of them makes another one stale.
    broader=(
        r"\b(?:suggest\w*|recommend\w*|advice|tips|ideas|ever|always|never|between|both|two|three|several|compar\w*"
        r"|across|explain)\b"
    ),
    own=r"\b(?:i|i'm|i've|my|me|mine|we|our|us)\b",
    changed=(
        r"now|nowadays|these days|recent(?:ly)?|lately|new(?:ly)?|instead"
        r"|no longer|any ?more|(?:up|down|back) to|went (?:up|down)|brought forward|chang(?:ed?|es|ing)|mov(?:ed|ing)"
        r"|switch(?:ed|ing)?|swapp(?:ed|ing)|replac(?:ed|ing)|updat(?:ed?|ing)|adjust(?:ed|ing)?|revis(?:ed|ing)"
        r"|increas(?:ed?|ing)|rais(?:ed|ing)|grow(?:n|th|ing)?|grew|rose|risen|reach(?:ed|ing)|improv(?:ed|ing)"
        r"|decreas(?:ed?|ing)|lower(?:ed|ing)|reduc(?:ed|ing)|cut|dropp(?:ed|ing)|fell|extend(?:ed|ing)"
        r"|shorten(?:ed|ing)|reschedul(?:ed|ing)|postpon(?:ed|ing)|push(?:ed|ing)|delay(?:ed|ing)|upgrad(?:ed|ing)"
        r"|add(?:ed|ing)"
    ),
    of_a_thing=(
        r"\b(\w+) of (?:the|my|our|an?|this|that)\b"
        r"|\b(?!what|who|where|when|how|that|there|here|it|he|she|let)[a-zà-ÿ]{2,}['’]s (\w+)"
    ),
    time_words=frozenset(
        """
        yesterday today tonight tomorrow ago last next recently since until week weeks weekend weekends month months
        year years day days hour hours minute minutes monday tuesday wednesday thursday friday saturday sunday january
        february march april june july august september october november december
        """.split()
    ),
    time_figures=r"\d{1,2}(?:st|nd|rd|th)",
    wish_signs=("prefer", "rather", "always", "never", "from now on", "i ask"),
    wish=(
        r"\bi(?:['’]d| would)? (?:\w+ly )?(?:prefer|rather)\b|\bmy preference\b|\bfrom now on\b"
        r"|\b(?:when|whenever|if|time) i ask\b|(?:^|[.!?:]\s)\s*(?:please )?(?:always|never) \w"
    ),
    first_person="i|i'm|i've|my|me|mine|we|our",
    had=r"\b(?:my|our) (?:(?:current|present|new|old|full|first|last|own) )*(\w+)",
)
