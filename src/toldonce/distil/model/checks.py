"""Whether a model's answer can be used: text comes in, the result and what is wrong with it go out.

Pure. Where the items of an answer are independent, the good ones are kept and only the bad ones are asked for again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from toldonce.distil.model.answers import find_json, read_answer
from toldonce.distil.model.lines import ModelTask
from toldonce.lang.detect import score_languages

R = TypeVar("R")

# How many times as much must speak for another language than for the people's own, and how much at least.
_CLEARLY = 3.0
_LEAST_MARKS = 4.0
# Words that speak for each language by chance.
_CHANCE = 1.0


@dataclass(frozen=True, slots=True)
class CheckedAnswer(Generic[R]):
    """The result of checking an answer; `usable` when it may be used in spite of its problems.

    `good` is the answer without its bad items. `items` names the list they are in, if all problems are in it and good
    items are left, so that only the bad ones need be asked for again.
    """

    result: R | None
    problems: tuple[str, ...]
    usable: bool
    good: str = ""
    items: str = ""
    is_json: bool = True


def check_answer(work: ModelTask[R], text: str) -> CheckedAnswer[R]:
    """What an answer becomes, and what is wrong with it."""
    read = read_answer(work.answer, text)
    if read.answer is None:
        return CheckedAnswer(None, read.problems, usable=False, is_json=read.is_json)
    made = work.make(read.answer)
    if not work.items:
        problems = read.problems or made.problems
        return CheckedAnswer(made.result, problems, usable=not problems, good=text)
    value = find_json(text) or {}
    unreadable = {place[1] for place in read.bad_items if len(place) == 2}
    left = [number for number in range(len(value[work.items])) if number not in unreadable]
    in_list = re.compile(rf"{re.escape(work.items)}\[(\d+)\]")
    found = [in_list.sub(lambda match: f"{work.items}[{left[int(match[1])]}]", one, count=1) for one in made.problems]
    wrong = (*read.problems, *found)
    bad = unreadable | {int(match[1]) for one in found if (match := in_list.match(one))}
    good = json.dumps(_without_items(value, work.items, bad), ensure_ascii=False)
    has_good = len(bad) < len(value[work.items])
    is_partial = has_good and bool(bad) and all(in_list.match(one) for one in wrong)
    usable = not wrong or has_good
    return CheckedAnswer(made.result, wrong, usable=usable, good=good, items=work.items if is_partial else "")


def _without_items(value: dict[str, Any], name: str, bad: Collection[int | str]) -> dict[str, Any]:
    return {**value, name: [item for number, item in enumerate(value[name]) if number not in bad]}


def join_items(kept: str, text: str, name: str) -> str:
    """An answer with the good items of the first and the others of the second; the first alone if that has none."""
    first, second = find_json(kept) or {}, find_json(text) or {}
    more = second.get(name)
    others = [item for item in more if item not in first[name]] if isinstance(more, list) else []
    return json.dumps({**first, name: [*first[name], *others]}, ensure_ascii=False)


def find_wrong_language(work: ModelTask[R], checked: CheckedAnswer[R]) -> tuple[str, ...]:
    """A problem when a good answer is plainly written in another language than people spoke."""
    if work.written is None or checked.result is None:
        return ()
    spoken, written = score_languages(work.spoken), score_languages(work.written(checked.result))
    theirs, ours = max(spoken, key=lambda code: spoken[code]), max(written, key=lambda code: written[code])
    is_sure = (
        spoken[theirs] >= _LEAST_MARKS
        and written[ours] >= _LEAST_MARKS
        and spoken[theirs] > _CLEARLY * (spoken[ours] + _CHANCE)
        and written[ours] > _CLEARLY * (written[theirs] + _CHANCE)
    )
    if theirs == ours or not is_sure:
        return ()
    return (f"the answer is in another language: write it in the language of the messages ({theirs})",)
