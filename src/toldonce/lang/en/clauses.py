"""English clauses: a sentence comes in, what it says of its speaker goes out, and is put into the third person.

Questions, conditions, hearsay and wishes are left out: only what a main clause plainly states is passed on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from toldonce.lang.base import MOST_SUBJECTS, Clauses
from toldonce.lang.en.words import COUNT, DAY, DONE, FEAST, MONTH, PAST, REGULARLY, RELATION, SINCE, SOON, SPAN, UNIT
from toldonce.lang.grammar import QUOTED, Predicate, Sentence

_SUBJECT = re.compile(
    rf"(?<![\w'@])(?:(?P<company>[Mm]y (?:\w+ )?{RELATION}(?:,? [A-Z]\w+,?)? and )?I|(?P<we>(?:both of )?[Ww]e)|i)"
    r"(?P<aux>'m|'ve|'ll|'d|'re)?(?![\w'])|(?<![\w'@-])(?P<mine>[Mm]y|[Oo]ur)(?![\w'])"
)
_BOUNDARY = re.compile(
    rf".*(?:[,;:()\x00!?.…]|\s[-–—]+\s|[–—]|\b(?:and|but|so|because|(?!{SINCE}\b)since|plus|though|although|'?cause"
    rf"|cuz|cos|while"
    r"|yet|as|that's why)\b)",
    re.I | re.S,
)
_OPENER = (
    r"hey|hi|hello|oh|wow|yeah|yep|yup|yes|no|nope|nah|ok|okay|well|btw|by the way|also|actually|honestly|anyway"
    r"|look|listen|sure|thanks|thank you|sorry|haha+|lol|ah|aw+|umm?|hmm+|so|and|but|then|now|currently|right now"
    r"|today|yesterday|recently|lately|finally|luckily|fortunately|unfortunately|sadly|personally|basically|in fact"
    r"|to be honest|tbh|fyi|guess what|these days|nowadays|at the moment|at the same time|as for me|as you know|you"
    r" know|like you|me too|same here|for me|just so you know|for the record|for context|growing up|originally|once"
    r"|tonight|tomorrow|first|second|third|lastly|speaking of which|on a different note|in the meantime|at first"
    r"|even though|even|plus|still|typically|usually|normally|generally|sometimes|often|occasionally|besides"
    r"|additionally|furthermore|moreover|however|for now|at work|at home|after work|after school|for work|as always"
    r"|as usual|of course|in general|lately|earlier|previously|a while back|ever since"
    rf"|{SOON}|{PAST}|{REGULARLY}|(?:for|over) the (?:last|past) (?:{COUNT} |few )?{UNIT}|{SINCE}"
    rf"|(?:in|at|on) (?:the )?(?:{MONTH}|{DAY}|{SPAN}|\d{{4}})|as (?:a|an|someone) [\w -]{{3,40}}"
)
_OPENERS = re.compile(rf"\W*(?:(?:{_OPENER})(?:\W+|$))*$", re.I)
# "When I travel, I prefer trains" states when something holds; "When can I travel" asks.
_HOLDS_WHEN = (
    r"(?:when(?:ever)? (?:i'm |we're |(?:i|we) (?!was\b|were\b|had\b|did\b|got\b|went\b|came\b|left\b|\w+ed\b))\w"
    r"|when it comes to\b)"
)
_ASKING = re.compile(
    r"(?:^|[,;:–—-]|\b(?:and|but|so|or|also|please|then|because)\b|\bI(?:'m| am) wondering|\bI was"
    r" wondering)\W{0,40}+(?:(?:can|could|would|will|do|does|did|is|are|should|may|might|have|has|am|was|were|shall"
    r"|don't|doesn't|isn't|aren't|won't)\s+(?:you|i|we|it|that|this|there|the|my|he|she|they|any|anyone|someone|these"
    rf"|those|your)\b|(?!{_HOLDS_WHEN})(?:how|what|why|where|who|which|when|whose|what's|how's"
    r"|any (?:tips|advice|ideas|suggestions|recommendations))\b(?! I (?:was|were)\b))",
    re.I,
)
_CONDITION = re.compile(
    r"^\W*(?:(?:and|but|so|even|only|what|as|well|hmm|yeah|oh)\W+)*(?:if|unless|suppose|supposing|imagine|assuming"
    r"|say|whether|pretend|let's say|maybe|perhaps|wish|in case|had i|should i|were i|as if|as though)\b",
    re.I,
)
_CLAUSES = Clauses(_ASKING, _CONDITION, _BOUNDARY, _OPENERS)
_CLAUSE_END = re.compile(
    r"[;()\x00…]|:(?=\s|$)|\s[-–—]+\s|[–—]|--|\s(?=(?:I'm|I am|I've|I'll|we're|it's)\b)|,?\s++(?:(?:because|cuz|cos"
    r"|'cause|but"
    r"|although|though|whereas|which|who|whom|whose|where|when|whenever|while|if|unless|until|plus|except"
    r"|considering|given)\b|(?-i:so)\b(?! far| much| many| long| that\b)|since (?=i\b|we\b|it\b|it's|they|he\b|she\b"
    r"|my\b"
    r"|the\b|there)|as (?=i\b|it\b|we\b|they|he\b|she\b|you\b|my\b)|(?:and|or|then)(?: then| now| also| just)?"
    r" (?=i\b|i'|we\b|we'|it\b|it's|he\b|she\b|they|you\b|my\b|our\b|the\b|this\b|that\b|there|can\b|could|how\b"
    r"|what|is\b|are\b|was\b|were\b|am\b|have\b|has\b|had\b|need|want|hope"
    rf"|feel|think|thought|wonder|will\b|not\b|{DONE}\b))"
    r"|,\s++(?=(?:i\b|i'|we\b|it\b|it's|he\b|she\b|they|you\b|so\b|this|that\b|there|can\b|could|would|how\b|what"
    r"|is\b|thanks))",
    re.I,
)
_COMMA = re.compile(r",(?!\d|\s+(?:19|20)\d\d\b)")
# "I prefer simple, minimal tools" goes on after its comma; "I love running, my wife hates it" does not.
_QUALITY = re.compile(
    r"\s+(?:\w+\s+)?(?:prefer|like|love|enjoy|favou?r|prioriti[sz]e|value|want|need)\s+(?:(?:us|hav|mak|work|writ"
    r"|buy)ing\s+)?"
    r"(?:an?\s+)?(?!to\b)[\w-]+,\s+(?!(?:my|our|his|her|their|your|the|an?|this|that|to|with|without|for|in|on|at"
    r"|not|no"
    r"|thanks?|please|honestly|mostly|mainly|though)\b)"
    r"(?![^,]*\b(?:is|are|was|were|has|have|had|will|does|do|did|can|would|hates?|loves?|likes?|prefers?)\b)",
    re.I,
)
# "I like it when answers have examples": what is liked comes after the word that else begins another clause.
_LIKED_WHEN = re.compile(
    r"\s+(?:\w+\s+)?(?:don't |do not |can't |cannot )?(?:\w+ly )?"
    r"(?:like|love|hate|dislike|enjoy|prefer|appreciate|stand|bear)(?: it)?$",
    re.I,
)
# "I use Postgres and prefer it to MySQL": what "it" is was named just before.
_PREFERS_IT = re.compile(r"(\s*(?:\w+\s+)?prefer) it(?=\s+(?:to|over)\b)", re.I)
_NAMED = re.compile(
    r"\b(?:us(?:e|ed|ing)|tr(?:y|ied|ying)|chose|choose|picked|bought|got|switched to|moved to|went with|like|love)\s+"
    r"(?P<thing>(?:(?:an?|the|my|our)\s+)?(?!(?:it|that|this|them|you|me|some|something"
    r"|to)\b)[\w.+#'-]+(?:\s+(?!(?:at|for"
    r"|in|on|and|but|so|because|to|with|when|now|since|last|this|every|from|as)\b)[\w.+#'-]+){0,2})(?=[,\s])",
    re.I,
)
_WHEN = re.compile(r",?\s+(?:when|whenever|if)\b(?! (?:i|we) (?:can|could|may|ask|say)\b)", re.I)
_LISTED = re.compile(r",\s++(?:[^,]{2,40},\s++)*(?:and|or|&)\s++[^,]{2,40}$")
_FURTHER = re.compile(
    r",\s+(?:[A-Z][\w.]+(?: [A-Z][\w.]+)?$|(?:like|such as|including|especially)\s|named\s|called\s|an? [^,]{3,60}$)"
)
_FILLER = re.compile(
    r"(?:[\s,]++(?:too|as well|though|lol|haha+|right now|now|actually|anyway|btw|by the way|tbh|you know|honestly"
    r"|of course|already|at the moment|these days|these|ever|and|or|with|so|a lot|then|also|again|like|such as"
    r"|instead|for example))+$"
    r"|[\s,.!?…*_~]++$",
    re.I,
)
_EMOJI = re.compile(r"[\u2600-\u27BF\U0001F000-\U0001FAFF\uFE0F]+")
_DROPPED = frozenset(
    "just really also actually even totally definitely honestly literally absolutely truly simply kinda kind of so"
    " super very already both all myself personally certainly basically sort generally quite too".split()
)
_KEPT = frozenset(
    "never always usually often still recently currently finally originally sometimes rarely mainly mostly only"
    " regularly frequently typically normally now once occasionally officially primarily strongly much greatly".split()
)
_AUXILIARY = {
    "'m": "am", "'re": "am", "'ve": "have", "'ll": "will", "'d": "would", "are": "am", "were": "was", "don't": "do not",
    "dont": "do not", "didn't": "did not", "didnt": "did not", "can't": "can not", "cant": "can not",
    "cannot": "can not",
    "won't": "will not", "haven't": "have not", "havent": "have not", "wasn't": "was not", "weren't": "was not",
    "wouldn't": "would not", "couldn't": "could not", "aren't": "am not", "ain't": "am not", "hadn't": "had not",
    "am": "am", "was": "was", "have": "have", "do": "do", "did": "did", "can": "can", "will": "will", "would": "would",
}  # fmt: skip
_SLANG = {
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "got to",
    "fav": "favorite",
    "fave": "favorite",
    "favourite": "favourite",
}
# Not the verbs whose past is also how one gives an order.
_ELIDED = re.compile(
    rf"(?:just |finally |recently |also )*(?!read|put|cut|hit|quit|set up|had to|beat|started to feel)(?:been|{DONE})\b"
    r"(?= (?:my|a|an|the|to|back|some|from|new|another|in|on|for|reading|working|doing|learning|playing|hitting"
    r"|volunteering|writing|married|engaged|promoted|\w+ing)\b)",
    re.I,
)
# "I moved to Lisbon and started a new job": the speaker goes on without saying "I" again.
_GOES_ON = re.compile(
    r",?\s+and (?:then |now |also |just |finally |recently )*"
    rf"(?=(?!read|put|cut|hit|beat|set up|had|made|got)(?:{DONE})\b)",
    re.I,
)
# "I live in Porto and work as a nurse": so it does in the present, unless the first verb leads the second as well.
_AND_STILL = re.compile(
    r"(?<!school)(?<!life)(?<!rest)(?<!family)(?<!home),?\s+and (?:then |now |also |just |still |\w+ly )*"
    r"(?=(?:work|live|study|speak|teach|play|own|enjoy|hate|dislike|prefer|drive|run|volunteer|commute|collect"
    r"|avoid|have)"
    r" (?!(?:of|and|or|between|than|is|was)\b)\S"
    r"|(?:love|like) (?!(?:as|in|of|for|and|or|between|with|at|on|is|was|than)\b)\S)",
    re.I,
)
_LEADING = frozenset(
    "can could will would should shall may might must do did don't didn't can't won't couldn't wouldn't never help let"
    " make see watch hear".split()
)
_BEING = ("'m", "'re")
_LEADS_ON = re.compile(r"\bto (?!(?:the|my|our|an?|this|that|work|school|bed|church)\b)[a-z]")
_UNREAL = frozenset("would will can could might may should want hope wish plan".split())
_TIMED = re.compile(rf"\b(?:{PAST}|{SOON}|{REGULARLY})", re.I)
_BEFORE = re.compile(rf"\b(?P<when>{SINCE}|{PAST}|{SOON})\b[\s,]*$", re.I)
_CASE = re.compile(
    rf"(?:^|[;.]\s+|\band |\bbut )(?P<when>{_HOLDS_WHEN}(?![^,]*\b(?:them|him|her|it|that|this|there"
    r"|here|you)\b)[^,;.!?]{0,50}),\s*$",
    re.I,
)
_BEHIND = re.compile(rf"\b{PAST}\b", re.I)
_HABITUAL = re.compile(rf"\b(?:{REGULARLY}|always|usually|often|sometimes|never|rarely|typically|normally)\b", re.I)
_SINCE = re.compile(r"\bsince\W+$", re.I)
_ANYMORE = re.compile(r"\s+(?:any ?more|any longer|no more)\b", re.I)


def find_predicates(sentence: Sentence) -> Iterator[Predicate]:
    """What the main clauses of the sentence say of the speaker."""
    text = _EMOJI.sub(lambda m: " " * len(m[0]), sentence.text)
    stated = _CLAUSES.statement_end(text, asks=sentence.asks)
    for match in islice(_SUBJECT.finditer(text, 0, stated), MOST_SUBJECTS):
        if _CLAUSES.can_open_clause(text[: match.start()]):
            yield from _read_english_clause(text[:stated], match, at=sentence.start)
    yield from _without_subject(text[:stated], at=sentence.start)


def _english_time_words(left: str, words: str) -> str:
    """When it was or holds, if that was said before the clause and not within it."""
    before = _CASE.search(left) or _BEFORE.search(left)
    return third_person(before["when"][0].lower() + before["when"][1:]) if before and not _TIMED.search(words) else ""


def _read_english_clause(text: str, match: re.Match[str], *, at: int) -> Iterator[Predicate]:
    end = _english_clause_end(text, match.end())
    if match["mine"]:
        words = " ".join(text[match.end() : end].split())
        if words:
            yield Predicate("my", f"my {words}", at + match.start(), at + end, shared=match["mine"].lower() == "our")
        return
    end = _next_present_verb(text, match.end(), end, is_being=match["aux"] in _BEING)
    clause = _name_compared_thing(text[: match.start()], text[match.end() : end])
    for told in _split_english_clause(
        clause.split(), match, span=(at + match.start(), at + end), aux=match["aux"] or ""
    ):
        # "since I moved" only says how long ago something else was; "since I am vegan" gives a reason.
        if not (_SINCE.search(text, 0, match.start()) and to_third_person(told.head) == told.head):
            yield replace(told, when=_english_time_words(text[: match.start()], told.words))
            if told.head.split()[0] not in _UNREAL:
                yield from _following_predicates(text, end, match, at=at)


def _name_compared_thing(before: str, clause: str) -> str:
    """The clause with the name of what "it" is, where it compares that and the name stands just before."""
    if not _PREFERS_IT.match(clause):
        return clause
    named = [match["thing"] for match in _NAMED.finditer(before)]
    return _PREFERS_IT.sub(lambda match: f"{match[1]} {named[-1]}", clause) if named else clause


def _following_predicates(text: str, begin: int, match: re.Match[str], *, at: int) -> Iterator[Predicate]:
    """What else the speaker did, when the clause goes on with another verb and no other subject."""
    further = _AND_STILL.match(text, begin) if not match["aux"] or match["aux"] in _BEING else None
    if further is None and not match["aux"]:
        further = _GOES_ON.match(text, begin)
    if further is None:
        return
    end = _next_present_verb(text, further.end(), _english_clause_end(text, further.end()), is_being=False)
    yield from _split_english_clause(
        text[further.end() : end].split(), match, span=(at + further.end(), at + end), aux=""
    )
    yield from _following_predicates(text, end, match, at=at)


def _next_present_verb(text: str, begin: int, end: int, *, is_being: bool) -> int:
    """Where the speaker goes on with another verb in the present, if that is before the end of the clause."""
    for further in _AND_STILL.finditer(text, begin, end):
        words = text[begin : further.start()].split()
        # "I live and work in Rome" has two verbs for one thing; "I'm vegan and avoid sugar" has one for each.
        if (is_being or len(words) > 1) and words[0].lower() not in _LEADING and not _LEADS_ON.search(" ".join(words)):
            return further.start()
    return end


def _split_english_clause(
    tokens: list[str], match: re.Match[str], *, span: tuple[int, int], aux: str
) -> Iterator[Predicate]:
    adverbs: list[str] = []
    tokens = _past_adverbs(tokens, adverbs)
    front = aux or (tokens.pop(0) if tokens and tokens[0].lower() in _AUXILIARY else "")
    tokens = _past_adverbs(tokens, adverbs) if front else tokens
    words = " ".join(filter(None, [_AUXILIARY.get(front.lower(), ""), *(_SLANG.get(t.lower(), t) for t in tokens)]))
    words, ended = _as_present_tense(words, adverbs)
    if words:
        shared = bool(match["we"] or match["company"])
        yield Predicate(_english_head(words), words, *span, adverb=" ".join(adverbs), ended=ended, shared=shared)


def _past_adverbs(tokens: list[str], adverbs: list[str]) -> list[str]:
    while tokens:
        word = tokens[0].lower().strip(",")
        if word == "no" and tokens[1:2] == ["longer"]:
            adverbs.append("no longer")
            tokens = tokens[1:]
        elif word in _KEPT:
            adverbs.append(word)
        elif word not in _DROPPED:
            break
        tokens = tokens[1:]
    return tokens


def _as_present_tense(words: str, adverbs: list[str]) -> tuple[str, bool]:
    """The predicate as if it still held, and whether it has ended."""
    lowered = words.lower()
    if lowered.startswith("used to "):
        adverbs.append("used to")
        return words[8:], True
    if lowered.startswith(("do not ", "am not ")) and _ANYMORE.search(words):
        adverbs.append("no longer")
        words = _ANYMORE.sub("", words)
        return (words[7:] if lowered.startswith("do") else "am " + words[7:]), True
    if lowered.startswith(("have got ", "have gotten ")):
        return "have " + words.split(" ", 2)[2], "no longer" in adverbs
    return words, "no longer" in adverbs


def _english_head(words: str) -> str:
    first, _, rest = words.lower().partition(" ")
    return f"{first} not" if rest.startswith("not ") else first


def _without_subject(text: str, *, at: int) -> Iterator[Predicate]:
    """What a sentence says that leaves "I" out, as people write in a hurry."""
    opener = re.match(r"\W*(?:(?:hey|hi|oh|yeah|yep|btw|so|and|well|ok|wow|thanks|haha)\b\W+)*", text, re.I)
    begin = opener.end() if opener else 0
    if not _ELIDED.match(text, begin):
        return
    end = _english_clause_end(text, begin)
    tokens = _past_adverbs(text[begin:end].split(), [])
    if tokens:
        first = "have been" if tokens[0].lower() == "been" else tokens[0].lower()
        yield Predicate(first.split()[0], " ".join([first, *tokens[1:]]), at + begin, at + end, elided=True)


def _english_clause_end(text: str, begin: int) -> int:
    """Where the clause that begins here stops, without trailing fillers."""
    stop = _CLAUSE_END.search(text, begin)
    if stop and _WHEN.match(text, stop.start()) and _LIKED_WHEN.match(text[begin : stop.start()]):
        stop = _CLAUSE_END.search(text, stop.end())
    end = stop.start() if stop else len(text)
    if text.count('"', begin, end) % 2 and (closing := text.find('"', end)) > 0:
        end = closing + 1
    for comma in _COMMA.finditer(text, begin, end):
        quality = _QUALITY.match(text, begin, end)
        if quality and comma.end() <= quality.end():
            continue
        tail = text[comma.start() : end].rstrip(" .!?")
        if not _LISTED.match(tail) and (not _FURTHER.match(tail) or _POINTING.search(tail)):
            end = comma.start()
        break
    while (filler := _FILLER.search(text, begin, end)) is not None:
        end = filler.start()
    return end


_THIRD = {
    "am": "is",
    "have": "has",
    "do": "does",
    "was": "was",
    "go": "goes",
    "can": "can",
    "will": "will",
    "would": "would",
}
_PRESENT = frozenset(
    "live work study speak teach play own run love like enjoy hate dislike prefer want plan hope aim intend"
    " eat drink smoke go volunteer weigh drive collect practice practise use take suffer identify support"
    " belong need adore favor favour prioritize prioritise value avoid lean tend major attend coach lead"
    " manage wake exercise swim cycle jog walk cook bake paint write garden train meditate commute stick try"
    " watch listen visit call meet share rent stay sing dance hike surf learn focus think concentrate"
    " appreciate".split()
)
_ROUTINE = frozenset(
    "get make start spend wear keep buy order read bring leave sleep check do take have begin finish fly travel shop"
    " sit book choose pick pay ride park".split()
)
# Their third person is known, and they name no habit: "I always find myself".
_OTHERS = frozenset("find opt steer shy gravitate".split())
_POSSESSIVE = re.compile(
    r"\b(?:I'm|I am|I've|I was|we were|we're|we are|I'd|I'll|I(?! [A-Z0-9])|we|we've|my|mine|me|myself|our|ours|us"
    r"|ourselves|'ve|am)\b(?!\.)"
)
_THEIRS = {
    "I'm": "they're", "I am": "they are", "I've": "they've", "I was": "they were", "I'd": "they'd",
    "I'll": "they'll", "I": "they",
    "we": "they", "we're": "they're", "we are": "they are", "we were": "they were", "we've": "they've", "my": "their",
    "mine": "theirs", "me": "them", "myself": "themselves", "our": "their", "ours": "theirs", "us": "them",
    "ourselves": "themselves", "'ve": "'ve", "am": "are",
}  # fmt: skip


def to_third_person(verb: str) -> str:
    """The verb as it is said of somebody else: lives for live, is for am; past forms stay."""
    if verb in _THIRD:
        return _THIRD[verb]
    if verb not in _PRESENT | _ROUTINE | _OTHERS:
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def third_person(words: str) -> str:
    """The words with the speaker's own pronouns turned into the third person."""
    return _POSSESSIVE.sub(lambda match: _THEIRS[match[0]], words)


def retell_in_english(predicate: Predicate, name: str) -> str:
    """The predicate as a sentence about the person of that name."""
    first, _, rest = predicate.words.partition(" ")
    if first == "my":
        return f"{name}'s {third_person(rest)}"
    if predicate.head == "can not":
        first, rest = "cannot", rest.removeprefix("not ")
    verb = first.lower() if "used to" in predicate.adverb or _is_past_use(predicate) else to_third_person(first.lower())
    order = (
        [verb, predicate.adverb] if first in _AUXILIARY.values() and not predicate.ended else [predicate.adverb, verb]
    )
    return " ".join(filter(None, [name, *order, third_person(rest), predicate.when]))


def _is_past_use(predicate: Predicate) -> bool:
    """Whether a verb that looks the same in past and present is in the past: "I read Dune last week"."""
    said = f"{predicate.adverb} {predicate.words} {predicate.when}"
    return predicate.head == "read" and _BEHIND.search(said) is not None and _HABITUAL.search(said) is None


def make_plain(words: str) -> str:
    """The words with a storyteller's "this" made plain: who "went to this great show" went to a great show."""
    return _STORIED.sub(lambda m: f"{m[1]} {'an' if m[2][0] in 'aeiou' else 'a'} {m[2]}", words)


def is_unfinished(words: str) -> bool:
    """Whether the words point at something outside the clause, so that nobody could understand them later."""
    return QUOTED in words or _POINTING.search(_WITHIN.sub(" ", words)) is not None


# These point at something that the clause itself names: "paper books over electronic ones", "like it when".
_WITHIN = re.compile(r"\b(?:over|than|to|instead of|rather than) [\w-]+ ones?\b| it(?= when| if)", re.I)
_STORIED = re.compile(
    r"^((?:went|joined|attended|visited|met|found|bought|started|watched|discovered|tried|won|played|performed|been"
    r"|took part)"
    rf"(?: \w+){{0,2}}?) this (?!{SPAN}|{MONTH}|{DAY}|{FEAST}|past|coming|upcoming)([a-z]\w+)",
    re.I,
)
_POINTING = re.compile(
    r"\b(?:it|he|she|him|her|hers|his|they|them|their|you|your|yours|here|there|it's|you're|he's|she's|ya)\b"
    r"|^\w+ its\b"
    rf"|\b(?:this|these|those)(?! (?:{SPAN}|{MONTH}|{DAY}|{FEAST}|past|coming|upcoming)\b)"
    # "I prefer recipes that are quick" says which; "I like doing that" points at something said before.
    r"|(?:^\w+(?: (?!(?:\w*[^\Ws]s|people|food|music) that \w)\w+)?|\b(?:about|of|in|on|with|for|to|at|by|from|like|and"
    r"|during|after|before|since)) that\b"
    r"|\b(?:on|with|about|using) one\b|\b(?:an?|the|new|old|another)"
    r" (?:\w+ )?ones?\b|\b(?:one|ones|some|something|anything|everything|stuff|things?|so|what|how|same|others?|the"
    r"|a|an|my|of|to|in)$",
    re.I,
)


class EnglishGrammar:
    """English as it is read and retold: clauses begin with "I", "we" or "my"."""

    habits = _PRESENT | _ROUTINE
    first_person: Mapping[str, str] = {
        to_third_person(verb): verb for verb in (*_PRESENT, "am", "have", "moved", "got", "was", "grew")
    }
    predicates = staticmethod(find_predicates)
    retell = staticmethod(retell_in_english)
    third_person = staticmethod(third_person)
    make_plain = staticmethod(make_plain)
    is_unfinished = staticmethod(is_unfinished)
    opens_clause = staticmethod(_CLAUSES.can_open_clause)
    clause_end = staticmethod(_english_clause_end)


GRAMMAR = EnglishGrammar()
