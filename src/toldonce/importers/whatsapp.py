"""WhatsApp: the text file of "Export chat", as Android and iPhones write it in the formats of several countries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice, pairwise
from typing import NamedTuple

from toldonce.errors import BadImport
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import ImportedMessage, ImportItem, ReadOptions, SkippedItem, group_by_day, read_files

MEDIA = "media that the export leaves out"
SYSTEM = "a notice of the program, said by nobody"
DELETED = "a message that its author deleted"
# Marks of writing direction, which stand before times and notices.
_MARKS = dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202c\ufeff")) | {0x202F: " ", 0xA0: " "}
_LINE = re.compile(
    r"\[?(?P<a>\d{1,4})[/.\-] ?(?P<b>\d{1,2})[/.\-] ?(?P<c>\d{2,4})\.?,?(?: \w{1,3})? "
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?(?: ?(?P<half>[AaPp])\.? ?[Mm]\.?)?"
    r"(?:\]| -) (?P<rest>.*)",
    re.DOTALL,
)
_SPEAKER = re.compile(r"(?P<name>[^:\n]{1,80}): (?P<text>.*)", re.DOTALL)
# A line that is only this: <Media omitted>, <Mídia oculta>, or an attached file. Pointed brackets are the format's own.
_MEDIA_LINE = re.compile(
    r"<[^<>\n]{3,60}>|[\w-]+\.(?:jpg|jpeg|png|webp|mp4|opus|m4a|pdf|vcf|3gp|gif)(?: \([^()\n]{3,60}\))?", re.IGNORECASE
)
# On iPhones what the program itself says, a notice or the word for a medium, follows the name behind this mark.
_MARK = "\u200e"
# What the program adds to a message that was edited.
_EDITED = re.compile(r" ?\u200e<[^<>\n]{3,60}>$")
# What Android writes in place of a message that was deleted, in the language of the phone and without a mark.
_DELETED_TEXTS = frozenset({
    "this message was deleted", "you deleted this message",
    "mensagem apagada", "essa mensagem foi apagada", "esta mensagem foi apagada", "você apagou esta mensagem",
    "apagou esta mensagem", "se eliminó este mensaje", "este mensaje fue eliminado", "eliminaste este mensaje",
    "diese nachricht wurde gelöscht", "du hast diese nachricht gelöscht", "ce message a été supprimé",
    "vous avez supprimé ce message", "questo messaggio è stato eliminato", "hai eliminato questo messaggio",
    "dit bericht is verwijderd", "je hebt dit bericht verwijderd",
})  # fmt: skip
_TWO_DIGIT_YEARS_FROM = 2000
_ENOUGH_LINES = 2_000


class _Entry(NamedTuple):
    line: int
    date: tuple[int, int, int]
    time: tuple[int, int, int]
    rest: str
    has_mark: bool


def is_whatsapp_export(source: SourceTree) -> bool:
    """Whether there is a text file whose first lines are messages with times."""
    return bool(_find_files(source))


def _find_files(source: SourceTree) -> list[str]:
    names = source.find(r"(?:.*/)?[^/]*\.txt")
    return [name for name in names if _looks_like_chat(source.peek(name))]


def _looks_like_chat(head: str) -> bool:
    first = [line.translate(_MARKS) for line in head.splitlines()[:10] if line.strip()]
    return bool(first) and _LINE.match(first[0]) is not None


def read_whatsapp(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Every message, by day. A file says nothing of its time zone, so times count as UTC."""
    yield from read_files(_find_files(source) or source.lone_file, lambda name: _read_chat(source, name, options))


def _read_chat(source: SourceTree, name: str, options: ReadOptions) -> Iterator[ImportItem]:
    order = _find_date_order(source, name)
    title = re.sub(r"^WhatsApp Chat (?:with|-) |\.txt$", "", name.rpartition("/")[2])
    channel = f"whatsapp {title if title != '_chat' else source.path.stem}"
    yield from group_by_day(_messages_of(source, name, order, options), channel=channel, title=title)


def _messages_of(
    source: SourceTree, name: str, order: str, options: ReadOptions
) -> Iterator[ImportedMessage | SkippedItem]:
    seen: Counter[str] = Counter()
    for entry in _read_entries(source, name):
        place = f"line {entry.line}" if name == source.path.name else f"{name}, line {entry.line}"
        said = _SPEAKER.fullmatch(entry.rest)
        if said is None:
            yield SkippedItem(SYSTEM, place)
            continue
        at = _moment_of(entry, order)
        text = said["text"].strip()
        if at is None:
            yield SkippedItem(f"a date that is none in the order {order} of this file", place, is_damage=True)
        elif not text or _MEDIA_LINE.fullmatch(text) or entry.has_mark:
            yield SkippedItem(MEDIA, place)
        elif text.rstrip(".").casefold() in _DELETED_TEXTS:
            yield SkippedItem(DELETED, place)
        else:
            speaker = said["name"].strip()
            told = f"{at:%Y-%m-%dT%H:%M:%S} {speaker} {blake2b(text.encode(), digest_size=8).hexdigest()}"
            # A number distinguishes the same words in the same minute.
            seen[told] += 1
            user = options.author_of(speaker)
            yield ImportedMessage(id=f"{told} {seen[told]}", text=text, at=at, user=user, name=speaker, place=place)


def _read_entries(source: SourceTree, name: str) -> Iterator[_Entry]:
    """Each message with the lines that continue it."""
    held: list[str] = []
    started = 0
    with source.open_text(name) as file:
        try:
            for number, raw in enumerate(file, start=1):
                line = raw.rstrip("\r\n")
                if _LINE.match(line.translate(_MARKS)):
                    if held:
                        yield _entry_of(held, started)
                    held, started = [line], number
                elif held:
                    held.append(line)
                else:
                    raise BadImport(f"line {number}: this is no message of WhatsApp", line=number)
        except UnicodeDecodeError:
            raise BadImport(f"{name}: this is no UTF-8 text") from None
    if held:
        yield _entry_of(held, started)


def _entry_of(lines: list[str], number: int) -> _Entry:
    lines = [*lines[:-1], _EDITED.sub("", lines[-1])]
    found = _LINE.match("\n".join(lines).translate(_MARKS))
    assert found is not None
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    date = (int(found["a"]), int(found["b"]), int(found["c"]))
    time = (hour, int(found["minute"]), int(found["second"] or 0))
    has_mark = f": {_MARK}" in lines[0]
    return _Entry(number, date, time, found["rest"], has_mark)


def _find_date_order(source: SourceTree, name: str) -> str:
    """`dmy`, `mdy` or `ymd`: the order in which most dates are dates, and in which days follow each other best."""
    entries = list(islice(_read_entries(source, name), _ENOUGH_LINES))
    return min(("dmy", "mdy", "ymd"), key=lambda order: _count_misfits(entries, order))


def _count_misfits(entries: list[_Entry], order: str) -> tuple[int, int]:
    """How many dates are none in this order, and how often a day is before the one above it."""
    moments = [_moment_of(entry, order) for entry in entries]
    days = [moment.date() for moment in moments if moment is not None]
    return moments.count(None), sum(later < earlier for earlier, later in pairwise(days))


def _as_year_month_day(date: tuple[int, int, int], order: str) -> tuple[int, int, int]:
    by_letter = dict(zip(order, date, strict=True))
    year = by_letter["y"]
    # A year in front has four digits.
    if order == "ymd" and year < 100:
        return (0, 0, 0)
    return (year if year > 99 else _TWO_DIGIT_YEARS_FROM + year, by_letter["m"], by_letter["d"])


def _moment_of(entry: _Entry, order: str) -> datetime | None:
    try:
        return datetime(*_as_year_month_day(entry.date, order), *entry.time, tzinfo=UTC)
    except ValueError:
        return None
