"""How people give standing instructions in English, and how these are rewritten in the third person."""

from __future__ import annotations

import re

from toldonce.lang.en.clauses import third_person
from toldonce.lang.instructions import Instructions

# What may stand before the heart of an instruction.
_LEAD = (
    r"(?:^|[,;:–—-]\s*|\b(?:and|but|so|also|then)\s+)(?:(?:hey|hi|ok|okay|oh|btw|by the way|note"
    r"|remember|important|please|kindly|also|and|just|one more thing|actually|so"
    r"|for (?:the )?future(?: reference)?)\W+)*"
)
_START = (
    r"^\W*(?:(?:hey|hi|ok|okay|oh|btw|by the way|note|remember|important|please|kindly|also|and|just|one more thing"
    r"|actually|so|but|for (?:the )?future(?: reference)?|from now on|going forward|in (?:the )?future)\W+)*"
)
# What people tell each other, and sigh: never give up, always love a good book.
_NO_SAYING = (
    r"(?!(?:give up|forget (?:that|how|who|your|you|what)|stop (?:dreaming|believing)|say never|lose|surrender|doubt"
    r"|settle|let (?:anyone|it|them)|love|like|believe|trust|hear|hope|enjoy|look forward|look on)\b)"
)
_NOT_A_VERB = (
    r"(?!(?:mind|again|ever|ending|a|an|the|been|had|has|have|was|were|is|are|am|i|i'm|i've|we|you|he|she|it|they|my"
    r"|your|so|too|thought|knew|wanted|loved|happy|glad|good|great|nice|fun|ready|here|there|late|busy|more|better"
    r"|felt|got|went|saw|made|did|will|would|in|on|at|up|down|to|of|for|with|and|or|not|enough|grateful|excited"
    r"|proud|learning|something|someone|thinking|heard|met|seen|done|tried|said|told|took|came|knows|works|gives"
    r"|makes|says|one|room|worth|feels|has)\b|\w+ed\b|\w+ing\b|\w+ly\b)"
)
_VERB = (
    r"(?:answer|reply|respond|write|speak|talk|use|include|add|provide|give|show|format|keep|make|explain|cite"
    r"|mention|list|start|begin|end|call|address|refer|avoid|ask|confirm|check|verify|specify|suggest|recommend"
    r"|remind|translate|summari[sz]e|limit|put|present|highlight|break|offer|follow|convert|report|state|tell"
    r"|display|return|generate|structure|organi[sz]e|prioriti[sz]e|consider|assume|treat|double-check|remember|stick"
    r"|focus|test|run|commit|do|be|stop|say|let|point|warn|describe|compare|link|quote|round|sort|ensure|review"
    r"|don't|do not|never|always|skip|leave|omit|stay|communicate|spell|send|set|greet|sign|default|prefer)"
)
_TONGUES = (
    r"english|portuguese|spanish|french|german|italian|dutch|swedish|polish|russian|chinese|mandarin|japanese"
    r"|korean|arabic|hindi|turkish|greek|hebrew|danish|norwegian|finnish|czech|ukrainian|catalan|brazilian"
    r" portuguese|european portuguese"
)
_FROM_NOW = (
    r"(?:from now on|from here on(?: out)?|going forward|moving forward|from today(?: on)?|starting (?:now|today)|in"
    r" (?:the )?future|henceforth|until (?:i say otherwise|further notice)|by default|(?:for|in) (?:all|every|any)"
    r" (?:future )?(?:answers?|repl(?:y|ies)|responses?|messages?|conversations?|chats?|sessions?))"
)
_WHENEVER = (
    r"(?:when(?:ever)?|every time|each time|any ?time|if) i (?:ever )?(?:ask|say|mention|request|send|share|talk"
    r"|write|type|bring up|inquire|want to know|need)\b"
)
_MANNERS = (
    r"(?:emojis?|emoticons?|bullet points?|bullets|markdown|jargon|slang|abbreviations|acronyms|exclamation (?:marks"
    r"|points)|disclaimers?|caveats|apologies|small talk|fluff|filler|preambles?|flattery|sarcasm|profanity|swear"
    r" words|em dashes|tables|headings|buzzwords|contractions|nicknames?|placeholders?)"
)
_REPLIES = (
    r"(?:answers?|responses?|repl(?:y|ies)|messages?|explanations?|summar(?:y|ies)|outputs?|emails?|comments?|commit"
    r" messages?)"
)

_PATTERNS = (
    rf"{_START}(?:always|never)\s+(?:ever |again )?{_NOT_A_VERB}{_NO_SAYING}[a-z][\w-]+\s+\w",
    (
        rf"{_START}{_VERB}\b(?! (?:going|pushing|it up|at it|up|moving|trying|pursuing)).*(?:,| and| but) (?:always"
        rf"|never) {_NO_SAYING}{_VERB}\b"
    ),
    rf"{_LEAD}{_VERB}\b(?! you\b)[^?]*\b(?:{_FROM_NOW}|{_WHENEVER})",
    (
        rf"{_LEAD}{_FROM_NOW}\W+(?:(?:please|always|never|just|only|also|i want you to|i'd like you to|i need you to"
        rf"|you (?:should|must|can))\s+)*{_VERB}\b"
    ),
    rf"{_LEAD}{_WHENEVER}[^?]*,\s*(?:please |always |just |only |i want you to |you should )*{_VERB}\b",
    (
        rf"{_LEAD}(?:please |always |only |just )*(?:answer|reply|respond|write|speak|talk|communicate)(?: to me| back|"
        rf" with me| your answers)?(?: only| always| exclusively)? in (?:only )?(?:(?:{_TONGUES})|bullet points|plain"
        r" (?:text|english|language)|short sentences|lower ?case|metric)\b"
    ),
    (
        rf"{_LEAD}(?:you (?:should|must|have to|need to|can) |make sure (?:to |you |that you )|be sure to |remember to "
        r"|i (?:want|need|expect|would like|'d like|would prefer|prefer) you to |i'd (?:like|prefer) (?:you|it if"
        rf" you)(?: to)? )(?:always |never |please |not )*(?:always|never|{_VERB})\b.*\b(?:always|never|{_FROM_NOW}"
        rf"|{_WHENEVER}|{_MANNERS}|{_REPLIES}|in (?:{_TONGUES}))\b"
    ),
    r"\bi (?:want|need|expect|would like|would prefer|prefer) you to (?:always|never|stop|keep|only)\b",
    (
        r"\b(?:you (?:should|must|have to|need to)|i want you to|make sure (?:to|you)|be sure to|remember"
        rf" to)\s+(?:always|never)\s+{_NOT_A_VERB}\w+"
    ),
    (
        r"\b(?:please |just |you can |you may |everyone |but )?(?:call|address) me (?:by |as )?(?:my |)(?-i:[A-Z]|\""
        r"|first name|last name|nickname|Dr)"
    ),
    r"\brefer to me (?:as|by|with)\b|\buse (?:he|she|they|him|her|them)(?:/\w+)+ (?:pronouns )?(?:for|with|when)\b",
    (
        rf"{_LEAD}(?:please )?keep (?:your |all |the |all your |all the )*{_REPLIES} (?:short|brief|concise|simple"
        r"|under|below|to|formal|informal|casual|clear|polite)"
    ),
    rf"{_LEAD}(?:please )?keep (?:it|things|everything) [\w ]+\b{_FROM_NOW}",
    (
        rf"{_LEAD}(?:please )?(?:don't|do not|never|stop|avoid|quit|no need to|no more) (?:ever )?(?:use|using|add"
        r"|adding|include|including|write|writing|put|putting|send|sending|with)?(?: any| the| so many| too many|"
        rf" more)? ?{_MANNERS}\b"
    ),
    rf"{_LEAD}no (?:more )?{_MANNERS}(?:,? please|$|[.!]| ever| in)",
    (
        r"(?:^|, |please )(?:stop|quit) (?:apologi[sz]ing|repeating|asking|calling|using|suggesting|sending|saying"
        r"|starting|ending|adding|explaining|summari[sz]ing|assuming|reminding)\b"
    ),
    (
        r"(?:^|, |please )(?:don't|do not) (?:ever |always )?(?:call me|assume|apologi[sz]e|repeat yourself|remind me"
        r"|ask me (?:about|to|if)|explain|lecture|suggest|recommend|commit|push|sugar-?coat)\b.*\b(?:again|anymore|any"
        r" more|ever|unless|without|until|every time|always|answers?|me)\b"
    ),
    (
        r"(?:^|, |please )(?:always )?use (?:the )?(?:metric|imperial|celsius|fahrenheit|24-hour|12-hour|british"
        r"|american|kilomet(?:er|re)s|miles|kilos|pounds|euros|dollars|formal|informal|plain|simple"
        r"|layman)\b(?!.*\b(?:in this|for this|to solve)\b)"
    ),
    # What was wished before is allowed again, needed no longer, or taken back.
    (
        rf"{_LEAD}(?:now )?you (?:can|may|are allowed to|'re allowed to|are free to)(?: now)? (?:go back to |start )?"
        rf"(?!.*\b(?:my|this|that|it|these|those)\b)(?:{_VERB}|\w+ing)\b[^?]*\b(?:again|now|after all|from now on)\W*$"
    ),
    (
        rf"{_LEAD}(?:you (?:don't|do not|no longer) (?:have|need) to|you needn't|(?:there's |there is )?no need to)"
        rf" {_VERB}\b[^?]*\b(?:any ?more|any longer|from now on)\W*$"
    ),
    rf"{_LEAD}(?:you no longer (?:have|need) to|there's no longer any need to) {_VERB}\b",
    (
        rf"{_LEAD}(?:please )?(?:stop|quit|no more|forget(?: about)?) (?:answering|replying|responding|speaking|talking"
        rf"|writing)"
        rf"(?: to me| back)? in (?:{_TONGUES})\b"
    ),
    (
        rf"{_LEAD}(?:{_MANNERS}|(?:{_TONGUES})) (?:is|are) (?:fine|ok|okay|all right|alright|allowed|welcome)\b.*"
        r"\b(?:again|now|after all)\W*$"
    ),
    (
        rf"{_LEAD}(?:please )?(?:forget|ignore|disregard|drop|scratch) (?:about )?(?:what i (?:said|told you|asked)"
        r" (?:about|on)|(?:my|the) (?:earlier |previous |old |last )?(?:rule|instruction|request|wish)s?"
        r" (?:about|on|to|for)) \w"
    ),
    (
        rf"\bi (?:want|like|prefer|need|'d like|would like|'d prefer)(?: all)? (?:your|my|the) {_REPLIES} (?:to be|in"
        r"|short|brief|with|without|under|as)\b"
    ),
)  # fmt: skip
# A sentence without any of these words cannot be one, which most sentences show at once.
_SIGNS = (
    r"\b(?:always|never|from|going forward|moving forward|future|starting|henceforth|default|when|whenever|every"
    r"|each|any ?time|call|address|refer|pronouns|keep|don't|do not|stop|quit|avoid|no|use|answer|reply|respond"
    r"|write|speak|talk|communicate|you|want|prefer|like|otherwise|again|forget|ignore|disregard|drop|scratch)\b"
)
# Said in the same words but meant otherwise: thanks, agreement, telling what oneself will do.
_NOT_PATTERNS = (
    r"^\W*(?:never mind|always (?:a pleasure|happy|good|nice|great|here|there))\b(?! .*,)",
    (
        r"^\W*(?:from now on|going forward|moving forward|in (?:the )?future|starting (?:today|now)),? (?:i|i'll|i'm|we"
        r"|we'll)\b(?! (?:want|need|expect|would like) you)"
    ),
)  # fmt: skip

_TONGUE = r"(?P<tongue>(?:brazilian |european )?[A-Za-zÀ-ÿ]{4,12})"
_NEGATED = re.compile(r"^(?:don't|do not|dont) (?:ever )?", re.I)
_YOURS = re.compile(r"\byour(?:self)?\b")
_BARE_VERB = re.compile(r"^(?:always |never |only )?[a-z][a-z-]+(?<!ing)\b", re.I)
_SUBJECTS = ("i", "i'd", "you", "we", "my", "it", "the", "there")


def _phrase_wish(core: str, then: str, name: str, said: str) -> tuple[str, bool]:
    """The wish as a statement of its author; in quotation marks where it has no verb to tell it by."""
    core = core[:1].lower() + core[1:]
    rest = _YOURS.sub(lambda match: "its" if match[0] == "your" else "itself", third_person(core + then))
    if rest.startswith("never "):
        return f"{name} wants the assistant never to {rest[6:]}", True
    if _NEGATED.match(rest):
        return f"{name} wants the assistant not to {_NEGATED.sub('', rest)}", True
    if core.split(" ")[0] in _SUBJECTS or not _BARE_VERB.match(core):
        return f'{name} asked: "{said.strip()}"', True
    return f"{name} wants the assistant to {rest}", True


def _retell_what(what: str) -> str:
    return _YOURS.sub("its", third_person(what[:1].lower() + what[1:]))


INSTRUCTIONS = Instructions(
    signs=_SIGNS,
    patterns=_PATTERNS,
    not_patterns=_NOT_PATTERNS,
    phrase=_phrase_wish,
    retell_what=_retell_what,
    texts={
        "called": "{name} wants to be called {value}",
        "not_called": "{name} does not want to be called {value}",
        "answers_in": "{name} wants answers in {tongue}",
        "no_longer_answers_in": "{name} no longer wants answers in {tongue}",
        "no_longer_needs": "{name} no longer needs the assistant to {what}",
        "took_back": "{name} took back the wish about {what}",
        "wants_none": "{name} wants no {what}",
        "fine_with": "{name} is fine with {what}",
        "allows": "{name} lets the assistant {what}",
    },
    lead=(
        r"^\W*(?:(?:hey|hi|ok|okay|oh|btw|by the way|also|and|but|so|please|kindly|just|actually|note|important"
        r"|remember"
        r"|one more thing|for future"
        r" reference|from now on|from here on out|from here on|going forward|moving forward|starting (?:now|today)|in"
        r" (?:the )?future|by default|i want you to|i'd like you to"
        r"|i would like you to|i need you to|i expect you to|i would prefer you to|i'd prefer you to|you (?:should|must"
        r"|have to|need to)"
        r"|make sure (?:to|that you|you)|be sure to|remember to|could you)\b[\s,:;.!-]*)+"
    ),
    called=(
        r"\b(?i:call(?:ing)? me|address me as|refer to me as)(?: by| as)? [\"']?(?P<name>(?:Dr\.? |Mr\.? |Ms\.?"
        r" )?[A-ZÀ-Ý][\w-]+(?: [A-ZÀ-Ý][\w-]+)?)"
    ),
    not_called=r"\b(?:don't|dont|do not|never|stop|quit|no longer)\b[^.;]*\bcall(?:ing)? me\b",
    spoken=(
        r"^(?:always |only |just |please )*(?:answer|reply|respond|write|speak|talk|communicate)(?: to me| back| with"
        rf" me)?(?: only| always)? in {_TONGUE}(?: only| always|,? please|,.*)?$"
    ),
    spoken_infinitive=(
        r"^(?:only |just |always )*(?:answer|reply|respond|writ|speak|talk|communicat)(?:e|ing)?"
        rf"(?: to me| back| with me)?(?: only| always)? in {_TONGUE}$"
    ),
    tongues=_TONGUES,
    not_tongues=frozenset("bullet plain short lower detail general full simple metric".split()),
    capitalises_tongues=True,
    allowed=(
        r"^(?:now )?you (?:can|may|could|are allowed to|'re allowed to|are free to)(?: now)? (?:go back to |start )?"
        r"(?P<what>.+?)(?: again| now| after all| from now on| any ?time)+$"
    ),
    fine=(
        r"^(?P<what>[\w -]{3,40}?) (?:is|are) (?:fine|ok|okay|all right|alright|allowed|welcome|good)"
        r"(?: with me| by me)?(?: again| now| after all)+$"
    ),
    over=(
        r"^(?:you (?:don't|do not|no longer) (?:have|need) to|you needn't|(?:there's "
        r"|there is )?no (?:longer any )?need"
        r" to) (?P<what>.+?)(?:,? (?:any ?more|any longer|now|from now on))*$"
    ),
    stop=(r"^(?:stop|quit|no more|forget(?: about)?) (?=(?:answer|reply|respond|writ|speak|talk)ing\b)(?P<what>.+)$"),
    back=(
        r"^(?:forget|ignore|disregard|drop|scratch) (?:about )?(?:what i (?:said|told you|asked) (?:about|on)|(?:my"
        r"|the)"
        r" (?:earlier |previous |old |last )?(?:rule|instruction|request|wish)s? (?:about|on|to|for)) (?P<what>.+)$"
    ),
    nothing=r"^no (?:more )?(?P<what>[\w ]+?)(?:,? please)?$",
    lately=(
        r"from now on|from here on(?: out)?|going forward|moving forward|in (?:the )?future|instead|again|please|now"
    ),
    politely=r"always|never|only|just|please|don't|do not|dont|ever",
    refuses=r"^(?:(?:just|please|ever|me) )*(?:never|don't|do not|dont|stop|avoid|no)\b",
    refusal=r"stop|quit|avoid|no|no more",
    clause_first=r"^(?P<when>(?:when(?:ever)?|every time|each time|any ?time|if) I [^,]+), (?P<rest>.+)$",
)
