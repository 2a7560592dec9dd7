"""WhatsApp: the text file of "Export chat", as Android and iPhones write it in the formats of several countries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from toldonce.errors import BadImport
from toldonce.importers.source_tree import SourceTree
from toldonce.importers.values import ImportedMessage, ImportItem, ReadOptions, SkippedItem, group_by_day, read_files
from toldonce.importers.whatsapp_headers import (
    LineHeader,
    find_order,
    has_late_hours,
    moment_of_header,
    read_header,
    remove_marks,
)

MEDIA = "media that the export leaves out"
SYSTEM = "a notice of the program, said by nobody"
DELETED = "a message that its author deleted"
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
# How the notice begins with which every chat begins; it names nobody, or the group, as its author.
_ENCRYPTED = (
    "messages and calls are end-to-end encrypted", "messages to this chat and calls are now secured",
    "messages to this group are now secured", "messages you send to this group are now secured",
    "messages you send to this chat and calls are now", "your messages and calls are end-to-end",
    "as mensagens e as chamadas são protegidas", "as mensagens e as ligações são protegidas",
    "as mensagens e ligações são protegidas", "as mensagens são protegidas com a criptografia",
    "as mensagens e as chamadas são encriptadas", "as mensagens e chamadas são encriptadas",
    "los mensajes y las llamadas están cifrados", "los mensajes y llamadas están cifrados",
    "nachrichten und anrufe sind ende-zu-ende", "nachrichten in diesem chat sowie anrufe sind",
    "les messages et les appels sont chiffrés", "i messaggi e le chiamate sono crittografati",
    "berichten en oproepen zijn end-to-end", "berichten en gesprekken zijn end-to-end",
    "mesajlar ve aramalar uçtan uca", "wiadomości i połączenia są w pełni szyfrowane",
    "wiadomości i połączenia są zaszyfrowane",
    "сообщения и звонки защищены", "повідомлення та дзвінки захищені", "повідомлення й виклики захищено",
    "pesan dan panggilan terenkripsi", "pesan dan telepon dienkripsi", "mesej dan panggilan disulitkan",
    "tin nhắn và cuộc gọi được mã hóa", "meddelanden och samtal är totalsträckskrypterade",
    "beskeder og opkald er end-to-end", "meldinger og anrop er ende-til-ende", "viestit ja puhelut ovat täysin",
    "zprávy a hovory jsou koncově", "správy a hovory sú šifrované", "az üzenetek és hívások végpontok",
    "mesajele și apelurile sunt criptate", "τα μηνύματα και οι κλήσεις είναι κρυπτογραφημένα",
    "الرسائل والمكالمات مشفرة", "الرسائل والمكالمات مشفَّرة", "ההודעות והשיחות מוצפנות", "संदेश और कॉल एंड-टू-एंड",
    "मैसेज और कॉल एंड-टू-एंड", "メッセージと通話はエンドツーエンド", "메시지와 통화는 종단간", "메시지와 통화는 종단 간",
    "消息和通话已进行端到端加密", "消息和通话经过端到端加密", "訊息和通話都受到端對端加密", "訊息和通話經端對端加密",
    "ข้อความและการโทรได้รับการเข้ารหัส",
)  # fmt: skip
_QUOTES = (("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"))
_OWN_NAME = re.compile(r"(?:.*/)?(?:_chat|[^/]*WhatsApp[^/]*)\.txt", re.IGNORECASE)
_ENOUGH_LINES = 2_000


class _Entry(NamedTuple):
    line: int
    header: LineHeader
    rest: str
    has_mark: bool


class _Dates(NamedTuple):
    """How a file writes its dates and times."""

    order: str
    is_24_hours: bool


def is_whatsapp_export(source: SourceTree) -> bool:
    """Whether a text file has the name that the program gives, or begins with a message and its time."""
    return bool(_find_files(source))


def _find_files(source: SourceTree) -> list[str]:
    names = source.find(r"(?:.*/)?[^/]*\.txt")
    return [name for name in names if _OWN_NAME.fullmatch(name) or _looks_like_chat(source.peek(name))]


def _looks_like_chat(head: str) -> bool:
    first = next((line for line in head.splitlines()[:10] if line.strip()), "")
    return read_header(first) is not None


def read_whatsapp(source: SourceTree, options: ReadOptions) -> Iterator[ImportItem]:
    """Every message, by day. A file says nothing of its time zone, so times count as UTC."""
    yield from read_files(_find_files(source) or source.lone_file, lambda name: _read_chat(source, name, options))


def _read_chat(source: SourceTree, name: str, options: ReadOptions) -> Iterator[ImportItem]:
    dates = _find_dates(source, name)
    title = re.sub(r"^WhatsApp Chat (?:with|-) |\.txt$", "", name.rpartition("/")[2])
    channel = f"whatsapp {title if title != '_chat' else source.path.stem}"
    yield from group_by_day(_messages_of(source, name, dates, options), channel=channel, title=title)


def _messages_of(
    source: SourceTree, name: str, dates: _Dates, options: ReadOptions
) -> Iterator[ImportedMessage | SkippedItem]:
    seen: Counter[str] = Counter()
    for entry in _read_entries(source, name):
        place = f"line {entry.line}" if name == source.path.name else f"{name}, line {entry.line}"
        said = _SPEAKER.fullmatch(entry.rest)
        if said is None or _is_notice(said["name"], said["text"]):
            yield SkippedItem(SYSTEM, place)
            continue
        at = moment_of_header(entry.header, dates.order, is_24_hours=dates.is_24_hours)
        text = said["text"].strip()
        if isinstance(at, str):
            yield SkippedItem(at, place, is_damage=True)
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


def _is_notice(name: str, text: str) -> bool:
    """Whether a line with a colon is said by the program: its first notice, or one that quotes a text with a colon."""
    is_quote = any(name.count(first) > name.count(last) for first, last in _QUOTES) or name.count('"') % 2 == 1
    return is_quote or any(part.lstrip().casefold().startswith(_ENCRYPTED) for part in (name, text))


def _read_entries(source: SourceTree, name: str) -> Iterator[_Entry]:
    """Each message with the lines that continue it."""
    held: list[str] = []
    started = 0
    is_old_style: bool | None = None
    with source.open_text(name) as file:
        try:
            for number, raw in enumerate(file, start=1):
                line = raw.rstrip("\r\n")
                found = read_header(line)
                if found is not None and is_old_style is None:
                    is_old_style = found[0].is_old_style
                if found is not None and (is_old_style or not found[0].is_old_style):
                    if held:
                        yield _entry_of(held, started)
                    held, started = [line], number
                elif held:
                    held.append(line)
                elif remove_marks(line).strip():
                    raise BadImport(
                        f"line {number}: this is no message of WhatsApp with a date and a time", line=number
                    )
        except UnicodeDecodeError:
            raise BadImport(f"{name}: this is no UTF-8 text") from None
    if held:
        yield _entry_of(held, started)


def _entry_of(lines: list[str], number: int) -> _Entry:
    lines = [*lines[:-1], _EDITED.sub("", lines[-1])]
    found = read_header("\n".join(lines))
    assert found is not None
    return _Entry(number, *found, has_mark=f": {_MARK}" in lines[0])


def _find_dates(source: SourceTree, name: str) -> _Dates:
    headers = [entry.header for entry in islice(_read_entries(source, name), _ENOUGH_LINES)]
    return _Dates(find_order(headers), has_late_hours(headers))
