"""English small words, and how people show that words are not their own."""

from __future__ import annotations

from toldonce.lang.base import Detection, Prose

DETECTION = Detection(
    words=frozenset(
        "the a an i i'm i've my you your is are was were and but or of to in on at with for this that it have"
        " has had do don't not we our they what how when can will would about from just so be been am there"
        " always never please me call tell she her his him us them their who where why which i'd i'll it's that's im"
        " ive dont cant got get want need know think if by up out all some now too also very really than then here"
        " because should could did does didn't doesn't isn't can't".split()
    )
)
PROSE = Prose(
    speech=r"i|i'm|i’m|we|me|you|your",
    handed_over=(
        r"translat\w+|rewrit\w+|re-?phras\w+|paraphras\w+|proof-?read\w*|summari[sz]e|edit|correct|polish|says|said"
        r"|wrote"
    ),
    introduced=(
        r"draft|essay|e-?mail|letter|paragraph|article|transcript|excerpt|passage|text|poem|story|script|post"
        r"|prompt|bio|r[ée]sum[ée]|sentences?|here(?:'|’)?s|here is|here are|following|below|pasted"
    ),
    letter=r"Dear",
)
