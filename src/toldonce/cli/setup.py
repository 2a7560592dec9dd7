"""Commands to begin with: make a memory here, look at presets, complete commands in a shell."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from toldonce.cli.invocation import Invocation, make_folder, pass_invocation
from toldonce.cli.options import complete_preset, named_command, person
from toldonce.cli.page import format_length, format_pairs, format_table, terminal_columns, wrap_text
from toldonce.config import PROJECT_FILE, environment_variable, is_database_address, is_path, project_digest
from toldonce.errors import InputError, StoreError
from toldonce.trust import is_inside_project, record_trust

if TYPE_CHECKING:
    from toldonce.config import Config
    from toldonce.presets import Preset
    from toldonce.presets.policy import Kind

_INSTALL = {
    "bash": 'Add to ~/.bashrc:  eval "$(toldonce completion bash)"',
    "zsh": 'Add to ~/.zshrc, after compinit:  eval "$(toldonce completion zsh)"',
    "fish": "Run once:  toldonce completion fish > ~/.config/fish/completions/toldonce.fish",
}


_CONSENT = (
    "What is said to the programs that use this memory is kept at {place}. {models} You can look at it, correct it, "
    "take it with you and destroy it at any time."
)


@named_command("init")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--preset", "-p", shell_complete=complete_preset, help="A preset's name, or the path of a TOML file.")
@click.option("--zone", metavar="NAME", help="The time zone, such as Europe/Lisbon; this machine's by default.")
@click.option("--user", "-u", type=person, metavar="NAME", help="Whose memory it is, for commands without `--user`.")
@click.option("--consent", is_flag=True, help="The person agrees to be remembered: do not ask.")
@pass_invocation
def init(
    invocation: Invocation, folder: Path, preset: str | None, zone: str | None, user: str | None, consent: bool
) -> None:
    """Make a memory in FOLDER, here by default.

    A toldonce.toml beside it names it for every command in that folder and below. At a terminal you are asked whether
    you agree to be remembered; the answer of a named person is recorded.
    """
    from toldonce import Memory
    from toldonce.cli.projects import KnownProject, add_project
    from toldonce.operations.space_state import DEFAULT_PRESET
    from toldonce.presets import load_preset, shipped_presets

    config = invocation.settings.config
    settings = folder / PROJECT_FILE
    # The environment's place counts as much as an option's: commands would use it, and not the one made here.
    is_said = invocation.settings.sources["place"] in (environment_variable("place"), "--place")
    place = config.place if is_said else str(folder / "memory.db")
    _refuse_overwriting(settings, place)
    chosen = preset or config.preset or DEFAULT_PRESET
    where = zone or config.zone or local_zone(os.environ)
    wording = _CONSENT.format(place=_strip_secrets(place), models=_name_models(config))
    is_given = consent or _ask_consent(invocation, wording)
    make_folder(folder)
    with Memory.open(
        place, chosen, space=invocation.space or config.space, zone=where, embedder="none", background=False
    ) as memory:
        if is_given and user is not None:
            means = "toldonce init --consent" if consent else "toldonce init"
            memory.people.set_consent(user, is_given=True, means=means, wording=wording)
    # A preset of one's own is kept inside the memory, so its file may move without breaking these settings.
    named = chosen if chosen in shipped_presets() else None
    kept = _strip_secrets(place)
    told = {
        "place": kept if is_said else "memory.db",
        "preset": named,
        "space": invocation.space,
        "zone": where,
        "user": user,
    }
    _write_settings(settings, {key: value for key, value in told.items() if value})
    if is_said and not is_inside_project(place, folder):
        record_trust(settings, project_digest(settings))
    add_project(KnownProject(str(folder.resolve()), os.path.abspath(place) if is_path(place) else kept, user))
    if kept != place:
        invocation.note(f"The password was not written to {settings}: give it in PGPASSWORD or ~/.pgpass.")
    value = {"place": kept, "preset": chosen, "zone": where, "settings": str(settings)}
    invocation.answer(
        value, lambda: _format_setup(settings, kept, chosen, where, steps=load_preset(chosen).first_steps)
    )


def _ask_consent(invocation: Invocation, wording: str) -> bool:
    """Whether the person at the terminal agrees to be remembered, False if nobody is there. A no ends the command."""
    if invocation.as_json or invocation.quiet or not sys.stdin.isatty():
        return False
    invocation.note(wording)
    if not invocation.confirm_action("Do you agree to be remembered?", yes=False):
        invocation.note("Nothing was made.")
        raise click.Abort
    return True


def _name_models(config: Config) -> str:
    """Where texts go to be embedded and read."""
    named = [one for one in (config.embedder, config.writer, config.reranker) if "://" in (one or "")]
    named += [config.writer] if config.writer and config.writer not in (*named, "none") else []
    return f"Texts go to {', '.join(named)}." if named else "Nothing leaves this machine."


@named_command("presets")
@click.argument("name", required=False, shell_complete=complete_preset)
@click.option("--check", type=click.Path(dir_okay=False), metavar="FILE", help="Check a preset file.")
@pass_invocation
def presets(invocation: Invocation, name: str | None, check: str | None) -> None:
    """List the presets, or show the one called NAME.

    NAME may also be the path of a preset file of your own.
    """
    from toldonce.presets import load_preset, shipped_presets

    if check:
        found = load_preset(check)
        about = f"{check} is right: {len(found.kinds)} kinds, {len(found.schedules)} schedules."
        invocation.answer({"file": check, "name": found.name, "ok": True}, lambda: [about])
    elif name:
        preset = load_preset(name)
        invocation.answer(preset, lambda: _format_preset(preset, terminal_columns()))
    else:
        known = [load_preset(shipped_name) for shipped_name in shipped_presets()]
        rows = [(p.name, p.about) for p in known]
        value = {"presets": [{"name": p.name, "title": p.title, "about": p.about} for p in known]}
        invocation.answer(value, lambda: format_pairs(rows, columns=terminal_columns()))


@named_command("completion")
@click.argument("shell", type=click.Choice(sorted(_INSTALL)))
@click.pass_context
@pass_invocation
def completion(invocation: Invocation, ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands in a shell.

    Its first line says how to install it.
    """
    from click.shell_completion import get_completion_class

    maker = get_completion_class(shell)
    if maker is None:
        raise InputError(f"this installation cannot complete in {shell}")
    script = maker(ctx.find_root().command, {}, "toldonce", "_TOLDONCE_COMPLETE").source()
    invocation.answer(
        {"shell": shell, "script": script, "install": _INSTALL[shell]}, lambda: [f"# {_INSTALL[shell]}", script]
    )


def local_zone(environ: Mapping[str, str], link: Path = Path("/etc/localtime")) -> str:
    """The name of this machine's time zone, or UTC if it cannot be determined."""
    from toldonce.clock import load_zone

    linked = os.path.realpath(link) if link.is_symlink() else ""
    for name in (environ.get("TZ", "").removeprefix(":"), linked.partition("zoneinfo/")[2]):
        try:
            if name:
                return load_zone(name).key.removeprefix("Etc/")
        except InputError:
            continue
    return "UTC"


def _strip_secrets(place: str) -> str:
    """A place as a settings file may name it: such a file is often shared, so it holds no password."""
    if not is_database_address(place):
        return place
    from toldonce.storage.postgres.address import strip_secrets

    return strip_secrets(place)


def _refuse_overwriting(settings: Path, place: str) -> None:
    for path in (settings, Path(place)):
        if path.exists() and (path is settings or is_path(place)):
            raise InputError(
                f"{path} is there already and was left as it is: remove it yourself, or choose another folder"
            )


def _write_settings(path: Path, values: Mapping[str, str]) -> None:
    # JSON texts are also TOML texts.
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    head = "# Settings of Toldonce for this folder and all below it; `toldonce doctor` shows what holds."
    try:
        path.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    except OSError as problem:
        raise StoreError(f"{path} cannot be written: {problem.strerror}") from None


def _format_setup(settings: Path, place: str, preset: str, zone: str, *, steps: Sequence[str]) -> list[str]:
    lines = [
        f"{click.style('Made a memory', fg='green')} at {place} (preset {preset}, time zone {zone}).",
        f"{settings} holds its settings: every toldonce command in this folder and below it uses them.",
        "",
        "Next:",
        *(f"  {step}" for step in steps),
        "",
        f"`toldonce presets {preset}` shows what is kept and for how long; `toldonce --help` lists every command.",
    ]
    if (settings.parent / ".git").exists() and is_path(place):
        lines.append(f"This folder is a git repository: add {Path(place).name}* to .gitignore.")
    return lines


def _format_preset(preset: Preset, columns: int) -> list[str]:
    lines = [click.style(f"{preset.title} ({preset.name})", bold=True), *wrap_text(preset.about, columns), ""]
    head = ("kind", "ids", "kept", "fades, half-life", "conflict", "prompts", "written by")
    lines += format_table(head, [_kind_row(k) for k in preset.kinds.values()], columns=columns)
    lines += ["", *format_pairs(_describe_preset_limits(preset), columns=columns)]
    if preset.schedules:
        rows = [(s.job, s.cron, s.per, format_length(s.timeout), str(s.retries)) for s in preset.schedules]
        lines += ["", *format_table(("job", "schedule", "for each", "time-out", "retries"), rows, columns=columns)]
    return lines


def _kind_row(kind: Kind) -> tuple[str, ...]:
    from toldonce.presets.policy import Author

    kept = {"never": "for ever", "end_of_day": "until midnight"}.get(kind.expiry) or format_length(kind.lasts)
    fades = "no" if kind.fading == "nothing" else f"{kind.fading}, {format_length(kind.half_life)}"
    writers = "anyone" if len(kind.writers) == len(get_args(Author)) else ", ".join(kind.writers)
    name = kind.name + (f" ({', '.join(kind.aliases)})" if kind.aliases else "")
    return name, f"{kind.prefix}_", kept, fades, kind.conflict, kind.tier, writers


def _describe_preset_limits(preset: Preset) -> list[tuple[str, str]]:
    talk, seek = preset.conversation, preset.recall
    ends = [
        f"{e} ({format_length(getattr(talk, e))})" if e in ("quiet", "longest") else e.replace("_", " ")
        for e in talk.ends
    ]
    return [
        ("a conversation ends by", ", ".join(ends)),
        ("and becomes", ", ".join(preset.distil.steps) or "nothing"),
        ("recall", f"{seek.limit} hits by " + ", ".join(f"{n} {w:g}" for n, w in seek.signals.items())),
        ("prompt block", f"{preset.context.budget} tokens at most"),
        ("forgotten kept", format_length(preset.grace.forgotten) if preset.grace.forgotten else "until purged"),
        ("subjects", ", ".join(preset.subjects) or "none"),
        ("documents", ", ".join(preset.documents) or "none"),
    ]
