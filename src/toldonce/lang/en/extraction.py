"""How facts are taken out of English: people around a speaker, what is presupposed, tenses, values, rules."""

from __future__ import annotations

from toldonce.lang.base import Extraction, Presupposition, Relations, Tenses, ValueWords
from toldonce.lang.en.clauses import GRAMMAR
from toldonce.lang.en.instructions import INSTRUCTIONS
from toldonce.lang.en.rules import RULES
from toldonce.lang.en.statements import STATEMENTS
from toldonce.lang.en.words import (
    ARRANGED,
    CONDITION,
    COUNT,
    DIET,
    DONE,
    DONE_PARTICIPLE,
    KIN,
    ONE_TIME,
    PET,
    RELATION,
    SETTING_OUT,
)
from toldonce.text.patterns import join_groups

_VALUES = ValueWords(
    not_names=frozenset(
        "january february march april may june july august september october november december monday tuesday"
        " wednesday thursday friday saturday sunday i english ok god".split()
    ),
    not_people=frozenset(
        "catholic christian muslim jewish buddhist hindu atheist agnostic protestant mormon vegan vegetarian"
        " team gen gay lesbian republican democrat asian african latino latina hispanic european american black"
        " white native dutch irish type".split()
    ),
    abstract=frozenset(
        "fear peace hope denial pain hell poverty luxury harmony silence darkness sin night home work constant a"
        " an the my this that".split()
    ),
    homes=(
        r"city|town|village|suburbs?|countryside|apartment|flat|house|condo|studio apartment|dorm|farm"
        r"|neighbou?rhood|downtown|abroad|island|trailer|mountains|coast"
    ),
    workplaces=(
        r"company|start-?up|firm|bank|hospital|school|university|college|agency|studio|restaurant|clinic|store"
        r"|shop|caf[eé]|bakery|library|museum|lab|office|department|non-?profit|ngo|hotel|factory|warehouse|shelter"
        r"|bookstore|airline|bar|government|newspaper|magazine|publisher|supermarket|pharmacy|gym|salon|garage|farm"
        r"|brewery|consultancy|airport"
    ),
    trades=(
        r"tech|technology|it|finance|banking|marketing|sales|advertising|healthcare|health care|education|retail"
        r"|hospitality|construction|real estate|insurance|law|media|publishing|logistics|hr|human resources|accounting"
        r"|consulting|software|engineering|customer service|public relations|fashion|film|gaming|agriculture"
        r"|manufacturing|research|design|nursing"
    ),
    technical=(
        r"code|codebase|framework|database|version|server|api|library|plugin|module|app|stack|branch|repo|pipeline"
        r"|backend|frontend|cluster|cloud|template|platform|column|table|folder|file|step|question|section|phase|stage"
    ),
)

_NAME = (
    r"(?P<name>(?:(?:Dr|Mrs?|Ms|Prof|Dra?)\.? )?(?-i:[A-ZÀ-Ý][a-zà-ÿ]+(?:-[A-ZÀ-Ý][a-zà-ÿ]+)?(?:"
    r" [A-ZÀ-Ý][a-zà-ÿ]+(?! (?:and|e) I\b))?))(?!\w)"
)
_OF = (
    r"(?:really |very |big |little |old |new |young(?:er|est)? |older |eldest |oldest |own |rescue |lovely |sweet "
    r"|dear |late |twin |close |good |former |golden |romantic |long-time |childhood |[\w-]+-year-old )*"
)
_RELATIONS = Relations(
    patterns=(
        (
            rf"\b(?:my|our) {_OF}(?P<what>(?P<pet>{PET})|{RELATION})(?:,| is| is called| is named| called| named"
            rf"|'s name is)? {_NAME}"
        ),
        (
            rf"\b(?:have|got|adopted|has) (?:an?|one|two|three) {_OF}(?P<what>(?P<pet>(?:[\w-]+ ){{0,2}}?{PET})|{KIN})"
            rf",? (?:named|called|whose name is) {_NAME}"
        ),
        (
            rf"{_NAME},? (?:(?:that'?s|who'?s|who is|is|he'?s|she'?s) )?(?:my|our) {_OF}"
            rf"(?P<what>(?P<pet>(?:[\w-]+ )?{PET})|{RELATION})(?=[,.;:!?)]|$| (?:in|from|of|who)\b)"
        ),
    ),
    told="{name} is {owner}'s {what}",
    apposed="{owner}'s {what} {name}",
    owner=rf"(?:my|our) {_OF}(?:{RELATION}|{PET}),? ",
    supposed=r"(?:and |but )?(?:if|unless|suppose|imagine|maybe|perhaps)\b",
    dead=r"\b(?:died|passed away|passed|is dead|late (?:husband|wife|father|mother|dad|mum|mom))\b",
    not_names=frozenset(
        "monday tuesday wednesday thursday friday saturday sunday january february march april june july august"
        " september october november december christmas easter thanksgiving instagram facebook google english french"
        " spanish japanese german italian".split()
    ),
    acquainted=frozenset(
        "best friend,friend,roommate,flatmate,boss,manager,coworker,co-worker,colleague,mentor,neighbor,neighbour"
        ",therapist,coach,tutor,teacher,doctor".split(",")
    ),
    plurals=frozenset("kids children parents siblings twins grandparents dogs cats".split()),
)

# "My" does not begin a clause after these, so no verb follows what it is about.
_WITH_MY = (
    r"(?:about|of|with|given|considering|despite|to|from|on|by|for|regarding|around|account|accommodate|match|suit"
    r"|fits?"
    r"|know|remember|mention(?:ed)?|share|reflects?|respect|understand|explain) my"
)
# Who was cured of an allergy no longer has it; "I see her as someone who hates conflict" is about somebody else.
_HAS_IT = r"(?<!cured )(?<!free )(?<!recovered )(?<!recovering )"
_OPENS = r"(?:^|[,;(–—]|\b(?:so|and|but|also|because|speaking))\W*"
_PRESUPPOSITIONS = (
    Presupposition(
        _WITH_MY, _HAS_IT,
        (
            (r"(?:strong |clear |usual |personal |general )?preference for (?P<thing>\w.*)", "prefer {thing}"),
            (r"(?:love|passion|fondness) (?:of|for) (?P<thing>\w.*)", "love {thing}"),
            (r"(?:(?:dislike|hatred) of|distaste for|aversion to) (?P<thing>\w.*)", "dislike {thing}"),
            (r"(?:fear|phobia) of (?P<thing>\w.*)", "am afraid of {thing}"),
            (r"(?P<thing>(?:[\w-]+ )?(?:allergy|intolerance)\b(?: to \w.*)?)", "have {a} {thing}"),
            (r"(?P<thing>(?:[\w-]+ )?allergies\b(?: to \w.*)?)", "have {thing}"),
            (rf"(?P<thing>{CONDITION})\b", "have {thing}"),
        ),
    ),
    Presupposition(
        "as (?:someone|somebody|a person)", _OPENS,
        (
            (r"(?:who|that) (?P<verb>\w+) (?P<thing>\w.*)", "{verb} {thing}"),
            (r"with (?P<thing>\w.*)", "have {thing}"),
        ),
    ),
    Presupposition("as an?", _OPENS, ((rf"(?P<thing>{DIET})\b", "am {thing}"),)),
)  # fmt: skip

_THING = rf"(?:a|an|my|our|another|the|{COUNT})"
_TENSES = Tenses(
    # "I am moving on Monday", "I have an exam on Monday": the future.
    ahead=join_groups(
        rf"will (?!have\b)|am going to\b|am (?:now |also |currently |finally )?(?:{SETTING_OUT})\b",
        rf"am (?:running|taking|having|playing|expecting) (?:{_THING} )?(?:[\w'-]+ ){{0,2}}?"
        rf"(?:{ONE_TIME}|baby|party|gig|race)\b",
        r"(?:plan|am planning) to\b",
        rf"have (?:{_THING} )?(?:(?!from|after|of|about|for|since)[\w'-]+ ){{0,3}}?{ONE_TIME}\b",
        rf"my (?:[\w'-]+ ){{0,3}}?{ONE_TIME} (?:is|will be)\b",
    ),
    behind=join_groups(
        rf"(?!was\b|had\b){DONE}\b|had {_THING}\b|did not\b|turned\b|came\b",
        rf"have (?!.*\bsince\b)(?:\w+ly |just )*{DONE_PARTICIPLE}\b",
        r"was (?!born|going|about|\w+ing\b|due|planned|scheduled|invited|offered|told)\w",
    ),
    for_later=join_groups(
        rf"^(?:have (?:\w+ly |just )*)?{ARRANGED}\b",
        r"\b(?:tickets?|flights?|reservations?|invit\w+|seats?|plans|deadline|starting|beginning|arriving|coming)\b",
        r"\b(?:opening|closing|happening|ending|effective|due|planned|scheduled|about|regarding|before|after|until)\b",
        rf"\bfor (?!work\b|fun\b|lunch\b|dinner\b|free\b|{COUNT}\b|the first\b).* (?:in|on)\b",
        rf"^(?:got|made|found|landed|bought|received|won|took)\b.*\b{ONE_TIME}\b",
        # "Decided to move in March" tells when it will be; "started to run in March" and "moved to Rome" when it was.
        r"^(?!started|began|learn|went|came|moved|relocated|flew|drove|travel|returned|hiked|biked|cycled|ran|walked)"
        r"(?!switched|upgraded)\w+\b.*?(?<!promoted) to (?!(?:the|an?|my|our|his|her|their|work|school|bed|church)\b)"
        r"(?!(?:town|college|university|therapy|court|hospital)\b)(?-i:[a-z])",
        # The time when something else was made, and the month in which people met for life.
        r"^(?!got|was|have)\w+ .*\b(?:built|made|born|written|held|taken|bought|sold|won|released|published|launched)"
        r" (?:in|on)\b",
        rf"^met (?:my|our) {RELATION}\b",
    ),
    unsure=join_groups(
        r"\b(?:usually|always|often|typically|normally|regularly|generally|sometimes|never|rarely|seldom"
        r"|occasionally)\b",
        r"\b(?:frequently|mostly|every|each|most|any|once|originally|would|could|might|should|supposed|almost"
        r"|nearly)\b",
        r"(?<!in )(?<!since )(?<!early )(?<!late )(?<!of )(?<!\d )(?-i:\bmay\b)",
    ),
    goes_on=(
        rf"\b(?:and|but|or|then) (?!(?:the|an?|my|our|his|her|their|some|two|three|{DONE})\b|[A-Z]).* (?:in|on|since) "
    ),
    long_ago=join_groups(
        r"\b(?:years?|decades?) (?:ago|back|later|before|earlier)\b",
        r"\b(?:last|next|previous|following|that|same) year\b|\bthe year (?:before|after|i|we|my)\b",
        r"\bwhen (?:i|we|my \w+) (?:was|were|first)\b|\bas a (?:kid|child|teen\w*|student|boy|girl)\b",
        r"\bin (?:high school|college|school|university|those days)\b|\bback (?:then|in|when)\b"
        r"|\bat (?:age|the age of)\b",
        r"\b(?:childhood|growing up|once upon)\b",
    ),
)

EXTRACTION = Extraction(
    grammar=GRAMMAR,
    statements=STATEMENTS,
    rules=RULES,
    instructions=INSTRUCTIONS,
    values=_VALUES,
    relations=_RELATIONS,
    presuppositions=_PRESUPPOSITIONS,
    another_clause=r"i|we|you|he|she|they|what|how|should|can|could|would|will|do|does|is|are",
    made_up=r"pretend|imagine|suppose|role-?play",
    tenses=_TENSES,
    joking=r"(?:^|\s)/s(?:\s|$)|\b(?:just kidding|jk|yeah,? right|as if)\b|🙄|🙃",
    never=frozenset("never rarely".split()),
    usually=frozenset("usually often always typically normally regularly".split()),
    own=r"my|our|me|us",
    own_attribute=(
        r"my (?:current |new )?(?P<noun>[\w -]{2,30}?) (?:is|are|was) (?:now |about |around |at )?(?P<value>.+)"
    ),
    statuses=(
        (r"(?:happily |newly )?married$", "married"),
        (r"(?:newly )?engaged$", "engaged"),
        (r"(?:recently )?divorced$", "divorced"),
        (r"separated$", "separated"),
        (r"single$", "single"),
        (r"widowed$|a widow", "widowed"),
        (r"in a relationship", "in a relationship"),
        (r"employed$", "employed"),
        (r"unemployed|jobless|out of work|between jobs", "unemployed"),
        (r"retired", "retired"),
    ),
    # A sentence with two facts would stay when only one of them ends, so each fact gets a sentence of its own.
    apart={
        "occupation": "{name} works as {a} {value}",
        "employment": "{name} works {at} {value}",
        "age": "{name} is {value} years old",
    },
    at_words=r"\b(at|for|with|in)",
    at="at",
    articles=("a", "an"),
    hollow=frozenset("busy ton fan fans leads stuff lot bunch close trial error fun blast ride progress".split()),
    likeable=frozenset(
        "alone early late morning evening afternoon night people read talk talking together walk watch work"
        " working".split()
    ),
)
