"""A made-up life to look at: an empty memory comes in, twelve weeks of conversations and what was learned go out.

Tests of the pages and pictures use it. Nothing in it is about a real person.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toldonce.memory import Memory

PERSON = "alex"
NAME = "Alex Moreira"

Turn = tuple[str, str]

# How many days ago, at which hour, the name of the session, and what was said.
_TALKS: Sequence[tuple[int, int, str, Sequence[Turn]]] = (
    (79, 20, "First evening", (
        ("user", "Hello! My name is Alex Moreira and I live in Lisbon with my daughter Clara."),
        ("assistant", "Nice to meet you both."),
        ("user", "I work at Maré Studio as a product designer."),
    )),
    (75, 21, "School forms", (
        ("user", "Filling in the school forms. Clara is allergic to peanuts, they ask about everything."),
        ("assistant", "Anything else the school should know?"),
        ("user", "My sister Rita may pick her up on Fridays."),
    )),
    (66, 9, "Moving in", (
        ("user", "I don't eat meat any more, since the summer."),
        ("assistant", "Noted. Should I look for recipes?"),
        ("user", "Yes please. I love mushroom risotto."),
    )),
    (52, 19, "Running", (
        ("user", "I started running twice a week."),
        ("user", "I weigh 74 kg now, the scale says."),
        ("assistant", "How do you feel after a run?"),
        ("user", "I sleep better after a run."),
    )),
    (44, 18, "Sunday with Helena", (
        ("user", "My mother Helena cooks for Clara on Sundays."),
        ("user", "Helena has a new hip and walks every morning."),
    )),
    (35, 18, "After the allergist", (
        ("user", "Back from Dr. Falcão. Good news, Clara's asthma is under control."),
        ("assistant", "That is a relief. Did he say anything about food?"),
        ("user", "Clara is allergic to cashews too, not only peanuts, so no more of those nut bars."),
        ("assistant", "Noted. Should I check the recipes you saved for this week?"),
    )),
    (23, 13, "Budget", (
        ("user", "My rent is 1100 euros a month."),
        ("user", "I save 300 euros every month for a trip to Japan."),
    )),
    (15, 22, "Late evening", (
        ("user", "I'm stressed about work, the new client calls every night."),
        ("user", "Meditation in the morning helps me."),
    )),
    (8, 13, "Sunday lunch", (
        ("user", "My brother Tomás is looking for a flat in Porto."),
        ("assistant", "Is he moving soon?"),
        ("user", "Tomás moves to Porto in January."),
    )),
    (3, 17, "Birthday", (
        ("user", "Clara wants a lemon cake for her birthday."),
        ("user", "Clara's friend Inês is vegan."),
    )),
    (0, 8, "Breakfast", (
        ("user", "I want to run 10 km before March."),
        ("assistant", "A good goal. Should I plan it?"),
        ("user", "From now on, please answer in short bullet points."),
    )),
    (0, 9, "Letter from the landlord", (
        ("user", "My rent is 1150 euros a month from December."),
        ("user", "I'm thinking of looking for a bigger flat near my sister Rita."),
    )),
)  # fmt: skip

# Written by hand: days ago, kind, area and text.
_WRITTEN: Sequence[tuple[int, str, str, str]] = (
    (70, "preference", "leisure", "Alex prefers window seats on trains"),
    (61, "memory", "relationships", "Alex and Rita repaired their parents' boat in August"),
    (48, "fact", "spirituality", "Alex keeps Sunday mornings quiet"),
    (40, "fact", "career", "Alex leads the redesign of the ferry app"),
    (28, "memory", "leisure", "Alex saw the puppet theatre in Évora with Clara"),
    (19, "insight", "mental_health", "Alex rests better on days without screens after nine"),
    (12, "fact", "finance", "Alex pays the piano lessons on the first of the month"),
    (5, "preference", "health", "Clara does not eat fish with bones"),
)


def fill_with_sample(memory: Memory, *, now: datetime) -> None:
    """Let a person's conversations of twelve weeks be said and settled, as of a moment."""
    for days, hour, session, turns in _TALKS:
        start = (now - timedelta(days=days)).replace(hour=hour, minute=2, second=0, microsecond=0)
        start = min(start, now - timedelta(minutes=30))
        for place, (role, text) in enumerate(turns):
            at = start + timedelta(minutes=2 * place)
            memory.observe(text, user=PERSON, role=role, session=session, at=at, display_name=NAME)
        memory.settle(session=session, user=PERSON)
    for days, kind, area, text in _WRITTEN:
        memory.remember(
            text, kind, user=PERSON, at=now - timedelta(days=days), metadata={"area": area}, origin="ai_inference"
        )
    _raise_question(memory, now=now)


def _raise_question(memory: Memory, *, now: datetime) -> None:
    """What a person confirmed and then says otherwise becomes a question; one more thing waits for a review."""
    for record in memory.review.records(PERSON, kinds=["fact"], derived=True, limit=100):
        if record.subject == f"{PERSON}/employment" or "cashews" in record.text:
            memory.confirm(record.id, user=PERSON)
    text = "I work at Onda Labs now, since Monday."
    memory.observe(text, user=PERSON, session="New office", at=now - timedelta(hours=5), display_name=NAME)
    memory.settle(session="New office", user=PERSON)
    cello = "Alex plays the cello on Tuesdays"
    memory.remember(cello, "memory", user=PERSON, proposed=True, metadata={"area": "leisure"})
