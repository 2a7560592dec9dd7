"""How English statements are compared: negation, liking, numbers, yes and no, wishes and goals."""

from __future__ import annotations

from recollect.lang.base import Comparison

COMPARISON = Comparison(
    negation=frozenset("not never no longer don't doesn't didn't isn't can't cannot".split()),
    likes=frozenset("like likes love loves enjoy enjoys adore adores".split()),
    dislikes=frozenset("hate hates dislike dislikes despise despises loathe loathes avoid avoids".split()),
    little=frozenset("does do did is are was really very much at all any anymore still now".split()),
    counted={
        "no": 0,
        "a": 1,
        "an": 1,
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
    },
    yes=r"yes|yeah|yep|right|correct|true|indeed|it changed|changed",
    no=r"no|nope|nothing changed|wrong|false",
    rejected=r"not|never|no|don't use|do not use|instead of|rather than|over",
    rejected_articles=r"the ",
    choosing=frozenset("use prefer instead rather over project".split()),
    either_or={
        "units": "metric imperial",
        "temperature": "celsius fahrenheit",
        "clock": "24 12",
        "spelling": "british american",
        "length": "short brief concise long longer detailed",
        "tone": "formal informal casual",
        "distance": "kilometers kilometres miles",
        "weight": "kilos pounds",
        "currency": "euros dollars reais",
    },
    wishing=frozenset(
        "use using add adding include including write writing put putting send sending give giving make making keep"
        " keeping show showing say saying start starting end ending do doing be being have always never only any more"
        " again anymore longer now please answer answers reply replies response responses message messages answering"
        " replying".split()
    ),
    around_goals=(
        "goal goals target milestone dream aim objective resolution plan plans want wants hope hopes finish finished"
        " complete completed reach reached achieve achieved hit met first new big main year month run ran learn"
        " learning"
        " read reading write writing study train become start play take do"
    ),
    not_finished=frozenset("buy sell save get adopt move visit travel quit lose find own have".split()),
    goals=r"goal|target|milestone|dream",
    adds=frozenset("in on at with and for since from near by because when".split()),
    articles=frozenset(("a", "an", "the")),
    over=r"over|rather than|instead of",
)
