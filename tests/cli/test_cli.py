"""Every command as a person calls it: what it says, what it keeps, and the JSON it gives."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.scripted import embedding
from toldonce.cli.main import COMMANDS, cli


def test_init_makes_a_memory_with_its_settings_and_says_what_to_do_next(shell: Any) -> None:
    said = shell("init", "--preset", "life", "--zone", "Europe/Lisbon", "--user", "alex").stdout
    assert "Made a memory at memory.db (preset life, time zone Europe/Lisbon)" in said and "toldonce remember" in said
    settings = (shell.folder / "toldonce.toml").read_text(encoding="utf-8")
    assert 'place = "memory.db"' in settings and 'preset = "life"' in settings and 'user = "alex"' in settings
    assert shell.json("stats")["preset"] == "life"


def test_init_makes_the_folder_it_is_told(shell: Any) -> None:
    shell("init", "deep/inside")
    assert (shell.folder / "deep" / "inside" / "memory.db").is_file()


def test_init_makes_the_memory_that_the_environment_names(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLDONCE_PLACE", "named.db")
    assert shell.json("init")["place"].endswith("named.db")
    assert (shell.folder / "named.db").exists() and not (shell.folder / "memory.db").exists()


@pytest.mark.parametrize("there", ["toldonce.toml", "memory.db"])
def test_init_overwrites_nothing(shell: Any, there: str) -> None:
    (shell.folder / there).write_bytes(b"# mine")
    assert "is there already" in shell("init", code=2).stderr
    assert [p.name for p in shell.folder.iterdir()] == [there] and (shell.folder / there).read_bytes() == b"# mine"


def test_init_keeps_a_preset_of_ones_own_inside_the_memory(shell: Any) -> None:
    own = own_preset(shell.folder)
    shell("init", "place", "--preset", str(own))
    own.unlink()
    assert shell.json("--place", "place/memory.db", "stats")["preset"] == "mine"


def test_settings_of_a_folder_hold_in_every_folder_below_it(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    below = made.folder / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    made("remember", "Alex is vegetarian")
    assert not list(below.iterdir())


def test_the_first_thing_told_makes_a_memory_in_the_users_own_folder(shell: Any) -> None:
    told = shell("remember", "Alex is vegetarian")
    assert "Made a new memory at" in told.stderr and "Kept" in told.stdout
    assert len(list(Path(shell.env["HOME"]).rglob("memory.db"))) == 1 and not list(shell.folder.iterdir())


def test_a_question_makes_no_memory(shell: Any) -> None:
    assert "make one with `toldonce init`" in shell("recall", "anything", code=3).stderr
    assert not list(Path(shell.env["HOME"]).rglob("*.db"))


def test_observe_keeps_a_message_that_is_found_at_once(made: Any) -> None:
    kept = made.json("observe", "I moved to Lisbon", "--user", "alex", "--session", "s1", "--meta", "mood=good")
    assert kept["message"]["metadata"] == {"mood": "good"} and kept["message"]["session"] == "s1"
    assert made.json("recall", "Lisbon")["hits"][0]["record"]["id"] == kept["message"]["id"]


@pytest.mark.parametrize("args", [(), ("-",)])
def test_observe_takes_each_line_of_standard_input(made: Any, args: tuple[str, ...]) -> None:
    assert made("observe", *args, "-u", "alex", input="hello\n\nI live in São Paulo\n").stdout == "Kept 2 messages\n"
    assert made.json("stats")["kinds"] == {"message": {"active": 2}}


def test_observe_takes_json_lines_with_their_own_authors_and_times(made: Any) -> None:
    lines = [{"text": "hi", "user": "ana", "at": "2026-05-03T10:00:00+00:00"}, {"text": "hello", "role": "assistant"}]
    done = made.json("observe", "--jsonl", "--user", "alex", input="\n".join(map(json.dumps, lines)))
    assert [m["user"] for m in done["messages"]] == ["ana", "alex"]
    assert done["messages"][0]["at"] == "2026-05-03T10:00:00+00:00" and done["kept"] == 2


def test_observe_says_which_rule_skipped_a_message(made: Any) -> None:
    assert "Skipped: messages of role 'narrator'" in made("observe", "Once upon a time", "--role", "narrator").stdout


def test_observe_tells_what_the_gate_took_out(made: Any) -> None:
    said = made("observe", "my key is " + "AKIA" + "IOSFODNN7" + "ABCDEFG").stdout
    assert said.startswith("! ") and "Kept msg_" in said
    assert "IOSFODNN7" not in made("recall", "key").stdout


def test_a_time_without_a_zone_is_told_in_the_zone_of_the_memory(shell: Any) -> None:
    shell("init", "--zone", "America/Sao_Paulo")
    said = shell.json("observe", "hello", "--at", "2026-05-03T22:00")["message"]["at"]
    assert datetime.fromisoformat(said) == datetime(2026, 5, 4, 1, 0, tzinfo=UTC)
    assert "2026-05-03" in shell("recall", "hello").stdout


def test_remember_says_what_was_known_already(made: Any) -> None:
    assert made("remember", "Alex is vegetarian", "--user", "alex").stdout.startswith("Kept:")
    assert made("remember", "Alex is vegetarian", "--user", "alex").stdout.startswith("Known already:")
    assert made.json("stats")["kinds"] == {"fact": {"active": 1}}


def test_a_person_validates_what_they_remember_and_an_agent_does_not(made: Any) -> None:
    assert made.json("remember", "Alex is vegetarian")["record"]["validated"] is True
    assert made.json("remember", "Alex owns a red bicycle", "--by", "agent")["record"]["validated"] is False


def test_what_is_remembered_may_be_for_a_team_or_for_everyone(made: Any) -> None:
    kept = made.json("remember", "Deploys are on Fridays", "--user", "alex", "--visibility", "team")
    assert kept["record"]["visibility"] == "team"
    assert "'all' is not one of" in made("remember", "x", "--visibility", "all", code=2).stderr


def test_remember_takes_kind_subject_title_tags_and_sources(made: Any) -> None:
    said = made.json("observe", "call me Lex")["message"]["id"]
    kept = made.json(
        "remember",
        "Alex is called Lex",
        "-k",
        "preference",
        "--subject",
        "alex/name",
        "--title",
        "Name",
        "--tag",
        "a",
        "--tag",
        "b",
        "--source",
        said,
        "--pin",
    )["record"]
    assert (kept["kind"], kept["subject"], kept["title"]) == ("preference", "alex/name", "Name")
    assert (kept["tags"], kept["sources"], kept["pinned"]) == (["a", "b"], [said], True)


def test_settle_turns_a_conversation_into_facts(made: Any) -> None:
    made("observe", "I moved to Lisbon last week", "-u", "alex", "-s", "monday")
    assert "Settled 1 conversation" in made("settle", "-s", "monday").stdout
    assert "Lisbon" in made("recall", "where does alex live?", "-k", "fact").stdout
    assert made("settle").stdout == "No conversation is waiting.\n"


def test_recall_numbers_its_hits_with_score_kind_day_author_text_and_id(made: Any) -> None:
    kept = made.remember("Alex is vegetarian", "--user", "alex", "--at", "2026-05-03")
    first, text, shown = made("recall", "is Alex vegetarian?").stdout.splitlines()
    assert first.split()[0] == "1" and first.split()[2:] == ["fact", "2026-05-03", "alex", "validated"]
    assert 0 <= float(first.split()[1]) <= 1 and (text.strip(), shown.strip()) == ("Alex is vegetarian", kept)


def test_recall_shows_three_lines_of_a_long_text(made: Any) -> None:
    made("remember", "Lisbon " * 200)
    said = made("recall", "Lisbon").stdout.splitlines()
    assert len(said) == 5 and said[3].endswith("…") and max(map(len, said)) <= 100


def test_recall_that_finds_nothing_says_so_and_is_no_error(made: Any) -> None:
    assert made("recall", "zebra").stdout == "Nothing was found.\n"
    assert made.json("recall", "zebra") == {"query": "zebra", "hits": [], "waiting": 0}


def test_recall_explains_what_it_found_and_what_it_left_out(made: Any) -> None:
    for day in range(1, 5):
        made("observe", f"Lisbon was sunny on day {day}", "-s", f"s{day}")
    said = made("recall", "Lisbon", "-n", "1", "--explain").stdout
    assert "found by words #" in said and "score:" in said and "Left out (3):" in said and "1 were wanted" in said
    told = made.json("recall", "Lisbon", "-n", "1", "--explain")
    assert len(told["hits"]) == 1 and len(told["left_out"]) == 3


FILTERS = [
    (("--session", "s1"), {"one"}),
    (("--not-session", "s1"), {"two", "three"}),
    (("--channel", "c"), {"two"}),
    (("--kind", "fact"), {"three"}),
    (("--kind", "fact", "--kind", "episode"), {"one", "two", "three"}),
    (("--since", "2026-05-02"), {"two", "three"}),
    (("--until", "2026-05-02"), {"one"}),
    (("--since", "2026-05-02", "--until", "2026-05-03"), {"two"}),
    (("--where", "n=2"), {"two"}),
    (("--where", "n=2", "--where", "city=Faro"), set()),
    (("--user", "ana"), {"two", "three"}),
    (("--limit", "1", "--min-score", "0"), None),
    (("--min-score", "1", "--since", "9999-01-01"), set()),
    (("--as-of", "2026-05-01T23:00"), {"one"}),
]


@pytest.mark.parametrize("args, expected", FILTERS)
def test_recall_narrows_by(made: Any, args: tuple[str, ...], expected: set[str] | None) -> None:
    made("observe", "Lisbon one", "-s", "s1", "-u", "alex", "--at", "2026-05-01")
    made("observe", "Lisbon two", "-s", "s2", "-u", "ana", "--channel", "c", "--at", "2026-05-02", "--meta", "n=2")
    made("remember", "Lisbon three", "--at", "2026-05-03")
    hits = made.json("recall", "Lisbon", *args)["hits"]
    if expected is None:
        assert len(hits) == 1
    else:
        assert {h["record"]["text"].split()[1] for h in hits} == expected


def test_a_length_of_time_means_that_long_ago(made: Any) -> None:
    made("observe", "Lisbon now")
    made("observe", "Lisbon then", "--at", "30d")
    hits = made.json("recall", "Lisbon", "--since", "7d")["hits"]
    assert [h["record"]["text"] for h in hits] == ["Lisbon now"]


def test_settings_name_the_person_for_commands_that_do_not(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLDONCE_USER", "alex")
    assert made.json("remember", "I like tea")["record"]["user"] == "alex"
    assert made.json("remember", "I like coffee", "--user", "ana")["record"]["user"] == "ana"
    assert [h["record"]["text"] for h in made.json("recall", "tea coffee")["hits"]] == ["I like tea"]


def test_context_prints_the_block_alone_and_its_size_beside_it(made: Any) -> None:
    made("remember", "Alex is vegetarian", "--kind", "preference", "--user", "alex")
    said = made("context", "what should we eat?", "--user", "alex", "--budget", "300")
    assert "Alex is vegetarian" in said.stdout and "token" not in said.stdout.splitlines()[-1]
    assert "1 record" in said.stderr and "tokens" in said.stderr
    block = made.json("context", "what should we eat?", "--user", "alex", "--budget", "300")
    assert block["text"] + "\n" == said.stdout and block["tokens"] <= 300


def test_context_with_nothing_to_say_is_empty_and_says_so_beside(made: Any) -> None:
    said = made("context", "what should we eat?")
    assert said.stdout == "" and "the block is empty" in said.stderr


def test_why_not_tells_what_stood_in_the_way(made: Any) -> None:
    kept = made.remember("Alex is vegetarian")
    assert made("why-not", kept, "vegetarian").stdout.startswith("recalled")
    made("forget", kept, "--reason", "moved on")
    assert "it is forgotten: moved on" in made("why-not", kept, "vegetarian").stdout
    assert made.json("why-not", kept, "vegetarian")["found"] is False


def test_a_records_life_is_told_by_its_history(made: Any) -> None:
    kept = made.remember("Alex lives in Porto", "--by", "agent", "--subject", "alex/residence", "--user", "alex")
    for step, word in (("confirm", "Confirmed"), ("pin", "Pinned"), ("unpin", "Unpinned")):
        assert made(step, kept).stdout.startswith(word)
    made("flag", kept, "--reason", "he moved")
    made("restore", kept)
    newer = made.json("correct", kept, "Alex lives in Braga")["record"]["id"]
    said = made("history", kept).stdout
    for word in ("confirmed", "pinned", "unpinned", "flagged", "he moved", "restored", "superseded", newer):
        assert word in said
    assert "→ fact" in said and "Alex lives in Braga" in said
    assert [c["action"] for c in made.json("history", kept)["changes"]][-1] == "superseded"


def test_flag_lists_what_hangs_on_the_record(made: Any) -> None:
    kept = made.remember("Alex lives in Porto", "--user", "alex")
    newer = made.json("correct", kept, "Alex lives in Braga")["record"]["id"]
    said = made("flag", newer).stdout
    assert "Look at these too:" in said and kept in said


def test_what_was_forgotten_is_found_no_more_until_it_is_restored(made: Any) -> None:
    kept = made.remember("Alex is vegetarian")
    made("forget", kept)
    assert made.json("recall", "vegetarian")["hits"] == []
    made("restore", kept)
    assert len(made.json("recall", "vegetarian")["hits"]) == 1


def test_purge_asks_and_does_nothing_without_a_yes(made: Any) -> None:
    kept = made.remember("Alex is vegetarian")
    assert "Nothing was destroyed" in made("purge", kept, input="n\n").stderr
    assert "say so with --yes" in made("purge", kept, input="", code=2).stderr
    assert made.json("purge", kept, code=2)["error"]["type"] == "InputError"
    assert made("purge", kept, input="y\n").stdout == "Destroyed 1 record.\n"
    made("history", kept, code=2)


def test_erase_destroys_a_person_and_proves_it(made: Any) -> None:
    made("observe", "I moved to Lisbon last week", "-u", "alex", "-s", "monday")
    made("observe", "I like Lisbon", "-u", "ana", "-s", "tuesday")
    made("settle")
    proof = made.json("erase", "--user", "alex", "--yes")
    assert proof["removed"] >= 2 and not proof["traces"] and not proof["pending"] and proof["searched"]
    assert {h["record"]["user"] for h in made.json("recall", "Lisbon")["hits"]} == {"ana"}
    assert "Nothing is left" in made("erase", "-u", "ana", input="y\n").stdout


def test_erase_takes_nobody_from_the_settings(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLDONCE_USER", "alex")
    assert "--user" in made("erase", "--yes", code=2).stderr


def test_a_doubt_waits_as_a_question_until_it_is_answered(shell: Any) -> None:
    shell("init", "--preset", "life")
    assert shell("questions").stdout == "No question is waiting.\n"
    shell("remember", "Alex lives in Porto", "--user", "alex", "--subject", "alex/residence")
    shell("remember", "Alex lives in Faro", "--user", "alex", "--subject", "alex/residence", "--by", "agent")
    (question,) = shell.json("questions", "--user", "alex")["questions"]
    assert question["id"] in shell("questions").stdout
    said = shell("answer", question["id"], "Alex lives in Faro")
    assert said.stdout.startswith("Answered; this counts now:") and "Faro" in said.stdout
    assert shell.json("questions")["questions"] == []


def test_profile_shows_each_line_with_its_source(made: Any) -> None:
    kept = made.remember("Alex is vegetarian", "--user", "alex")
    said = made("profile", "alex").stdout
    assert "- Alex is vegetarian" in said and f"from {kept}" in said
    assert made("profile", "nobody").stdout == "Nothing is known of nobody yet.\n"


def test_entity_shows_what_mentions_it(made: Any) -> None:
    made("observe", "We flew to Lisbon with Ana Sousa")
    assert "We flew to Lisbon" in made("entity", "lisbon").stdout
    assert made("entity", "Atlantis").stdout == "Nobody mentioned Atlantis.\n"
    assert made.json("entity", "Atlantis") == {"entity": None}


def test_stats_count_by_kind_and_state(made: Any) -> None:
    made("forget", made.remember("Alex is vegetarian"))
    made("remember", "Ana plays chess")
    said = made("stats").stdout
    assert "records" in said and "kind  " in said and "forgotten" in said
    assert made.json("stats")["kinds"] == {"fact": {"active": 1, "forgotten": 1}}


def test_spaces_are_listed_made_switched_deleted_and_restored(made: Any) -> None:
    assert "coding" in made("spaces", "add", "work", "--preset", "coding", "--zone", "Europe/Lisbon").stdout
    assert [s["name"] for s in made.json("spaces")["spaces"]] == ["main", "work"]
    made("--space", "work", "remember", "Use tabs", "--kind", "convention")
    assert (
        made.json("recall", "tabs")["hits"] == [] and len(made.json("recall", "tabs", "--space", "work")["hits"]) == 1
    )
    made("spaces", "off", "work")
    assert "switched off" in made("remember", "Use spaces", "--space", "work", code=2).stderr
    made("spaces", "on", "work")
    assert "spaces restore work" in made("spaces", "delete", "work").stdout and "deleted" in made("spaces").stdout
    made("spaces", "restore", "work")
    assert len(made.json("recall", "tabs", "--space", "work")["hits"]) == 1


def test_a_space_that_is_off_or_deleted_says_so_at_every_door(made: Any) -> None:
    made("remember", "Use tabs")
    made("spaces", "off", "main")
    assert "switched off" in made("recall", "tabs").stderr
    assert "switched off" in made("context", "tabs").stderr
    assert "switched off" in made("doctor").stdout
    made("spaces", "delete", "main")
    assert "deleted" in made("recall", "tabs").stderr
    assert "is deleted: restore it" in made("remember", "Use spaces", code=2).stderr
    assert "is deleted: restore it" in made("observe", "Use spaces").stdout
    assert "deleted" in made("doctor").stdout
    assert "restore it first" in made("spaces", "on", "main", code=2).stderr
    made("spaces", "restore", "main")
    made("spaces", "on", "main")
    assert len(made.json("recall", "tabs")["hits"]) == 1


def test_tend_says_when_the_next_thing_is_due(made: Any) -> None:
    made("tend")
    assert "Nothing was due; " in (said := made("tend").stdout) and " is next, at " in said


def test_a_space_is_never_made_by_a_slip(made: Any) -> None:
    assert "toldonce spaces add wrok" in made("recall", "x", "--space", "wrok", code=2).stderr
    assert [s["name"] for s in made.json("spaces")["spaces"]] == ["main"]


def test_people_are_listed_named_and_kept_out(made: Any) -> None:
    assert made("people").stdout == "Nobody was seen here yet.\n"
    made("observe", "hello", "--user", "u1")
    made("people", "set", "u1", "--name", "Ana", "--zone", "Europe/Lisbon", "--language", "pt")
    assert "Ana" in made("people").stdout
    made("people", "block", "u1")
    assert "kept out of memory" in made("observe", "hello again", "--user", "u1").stdout
    made("people", "unblock", "u1")
    assert made.json("people")["people"][0]["blocked"] is False


def test_tend_runs_what_is_due_and_runs_remember_it(made: Any) -> None:
    made("observe", "I moved to Lisbon last week", "-u", "alex", "-s", "monday")
    assert any(run["name"] == "expire" for run in made.json("tend")["runs"])
    assert made("tend").stdout.startswith("Nothing was due; ")
    later = made.json("tend", "--now", "2099-01-01")["runs"]
    assert later and {run["status"] for run in later} <= {"completed", "skipped"}
    assert made.json("runs", "--job", "expire", "-n", "1")["runs"][0]["name"] == "expire"
    assert "expire" in made("runs").stdout


def test_jobs_list_what_is_planned(made: Any) -> None:
    assert "Nothing is planned" in made("jobs").stdout
    made("tend")
    assert "backup" in made("jobs").stdout and made.json("jobs")["jobs"]


def test_an_export_imported_elsewhere_is_the_same_memory(shell: Any) -> None:
    shell("init", "--preset", "coding")
    kept = shell.remember("Use tabs", "--kind", "convention")
    assert shell("export", "out.jsonl").stdout == "Wrote 2 lines to out.jsonl.\n"
    assert "Made a new memory" in shell("--place", "other.db", "import", "out.jsonl").stderr
    assert shell.json("-f", "other.db", "stats")["preset"] == "coding"
    assert shell.json("-f", "other.db", "recall", "tabs")["hits"][0]["record"]["id"] == kept


def test_export_replaces_a_file_only_when_told(made: Any) -> None:
    (made.folder / "out.jsonl").write_text("mine")
    assert "--force" in made("export", "out.jsonl", code=2).stderr
    assert (made.folder / "out.jsonl").read_text() == "mine"
    made("export", "out.jsonl", "--force")


@pytest.mark.parametrize("content", [b"", b"garbage\n", b"\xff\xfe\n", b'{"toldonce": 1}\n{"type": "nonsense"}\n'])
def test_import_of_something_else_takes_nothing(shell: Any, content: bytes) -> None:
    (shell.folder / "in.jsonl").write_bytes(content)
    shell("init")
    assert "nothing was imported" in (said := shell("import", "in.jsonl", code=2).stderr) or "cannot be read" in said
    assert shell.json("stats")["kinds"] == {}


def test_an_export_goes_to_standard_output_too(made: Any) -> None:
    made("remember", "Ana plays chess")
    lines = made("export", "-").stdout.splitlines()
    assert json.loads(lines[0])["lines"] == len(lines) - 1
    assert "Ana plays chess" in made("export", "-", "--format", "markdown").stdout
    assert "leave --json out" in made.json("export", "-", code=2)["error"]["message"]
    assert not (made.folder / "-").exists()


def test_a_failed_import_makes_no_memory(shell: Any) -> None:
    shell("-f", "new.db", "import", "absent.jsonl", code=2)
    assert not list(shell.folder.iterdir())


def test_backup_copies_to_a_file_or_to_the_next_of_three(made: Any) -> None:
    kept = made.remember("Alex is vegetarian")
    copy = made.json("backup", "copy.db")
    assert Path(copy["file"]).stat().st_size == copy["bytes"]
    assert made.json("-f", "copy.db", "recall", "vegetarian")["hits"][0]["record"]["id"] == kept
    for _ in range(4):
        made("backup")
    assert len(list(made.folder.glob("memory.db.bak.[0-9]"))) == 3


def test_presets_are_listed_shown_and_checked(shell: Any) -> None:
    assert [p["name"] for p in shell.json("presets")["presets"]] == [
        "assistant",
        "coding",
        "community",
        "companion",
        "life",
    ]
    said = shell("presets", "companion").stdout
    assert "30 d" in said and "until midnight" in said and "schedule" in said
    assert "is right" in shell("presets", "--check", str(own_preset(shell.folder))).stdout
    assert shell.json("presets", "life")["kinds"]["fact"]["prefix"] == "fact"


def test_presets_check_names_file_and_key(shell: Any) -> None:
    own = own_preset(shell.folder)
    own.write_text(own.read_text(encoding="utf-8").replace("[capture]", "[capture]\ncolour = 1"), encoding="utf-8")
    said = shell("presets", "--check", "mine.toml", code=2).stderr
    assert "mine.toml" in said and "capture.colour" in said


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_and_how_to_install_it(shell: Any, name: str) -> None:
    first, *script = shell("completion", name).stdout.splitlines()
    assert first.startswith("# ") and "toldonce completion" in first and "_TOLDONCE_COMPLETE" in "\n".join(script)


def test_shared_options_may_stand_before_or_after_the_command(made: Any) -> None:
    kept = made.remember("Alex is vegetarian")
    made("--place", "other.db", "remember", "Ana plays chess")
    for args in (("--json", "-f", "memory.db", "recall", "vegetarian"), ("recall", "vegetarian", "--json")):
        assert json.loads(made(*args).stdout)["hits"][0]["record"]["id"] == kept
    assert made.json("recall", "chess", "-f", "other.db")["hits"]


EVERY: dict[str, tuple[tuple[str, ...], ...]] = {
    "init": (("init", "elsewhere"),),
    "presets": (("presets",), ("presets", "life")),
    "trust": (("trust",), ("trust", "--list"), ("trust", "--remove")),
    "completion": (("completion", "zsh"),),
    "observe": (("observe", "hello"),),
    "remember": (("remember", "Ana plays chess"),),
    "journal": (("journal", "diary", "--user", "alex"),),
    "settle": (("settle",),),
    "recall": (("recall", "vegetarian"), ("recall", "vegetarian", "--explain")),
    "context": (("context", "vegetarian"),),
    "why-not": (("why-not", "ID", "vegetarian"),),
    "review": (("review",),),
    "history": (("history", "ID"),),
    "confirm": (("confirm", "ID"),),
    "correct": (("correct", "ID", "Alex is vegan"),),
    "flag": (("flag", "ID"),),
    "pin": (("pin", "ID"),),
    "unpin": (("unpin", "ID"),),
    "forget": (("forget", "ID"),),
    "restore": (("restore", "ID"),),
    "purge": (("purge", "ID", "--yes"),),
    "erase": (("erase", "--user", "alex", "--yes"),),
    "questions": (("questions",),),
    "answer": (("answer", "QUESTION", "yes"),),
    "scan": (("scan",),),
    "locate": (("locate", "the memory's settings"),),
    "map": (("map",),),
    "profile": (("profile", "alex"),),
    "entity": (("entity", "Alex"),),
    "timeline": (("timeline",),),
    "report": (("report", "week", "--keep"),),
    "stats": (("stats",),),
    "spaces": (("spaces",), ("spaces", "add", "x"), ("spaces", "off", "main"), ("spaces", "delete", "main")),
    "people": (
        ("people",),
        ("people", "set", "alex", "--name", "Alex"),
        ("people", "block", "alex"),
        ("people", "members"),
    ),
    "team": (("team",), ("team", "search", "vegetarian"), ("team", "figures")),
    "tend": (("tend",),),
    "worker": (),
    "jobs": (("jobs",),),
    "runs": (("runs",),),
    "usage": (("usage",),),
    "export": (("export", "o.jsonl"),),
    "import": (("import", "in.jsonl"),),
    "backup": (("backup",),),
    "move": (("move", "memory.db", "other.db", "--preview"),),
    "encrypt": (),
    "decrypt": (),
    "rekey": (),
    "audit": (("audit",), ("audit", "--verify")),
    "quota": (("quota",), ("quota", "--records-per-person", "100")),
    "reembed": (),
    "doctor": (("doctor",), ("doctor", "--repair")),
    "try-model": (),
    "bench": (("bench", "--own"),),
    "serve": (),
    "proxy": (),
    "bot": (),
    "keys": (("keys",), ("keys", "list"), ("keys", "add", "laptop", "--user", "alex")),
    "webhooks": (("webhooks",), ("webhooks", "add", "http://127.0.0.1:9/hook", "--private")),
    "login": (),
    "logout": (("logout",),),
    "whoami": (("whoami",),),
    "mcp": (),
    "tools": (("tools",),),
    "tool": (("tool", "analyze_context", '{"currentTopic": "home", "relatedAreas": []}'),),
    "install": (("install", "cursor", "--dry-run"),),
    "uninstall": (("uninstall", "cursor"),),
    "hook": (),
    "metrics": (("metrics",),),
}


def test_every_command_is_in_the_list_of_those_called_below() -> None:
    assert list(EVERY) == [name for section in COMMANDS.values() for name in section]


@pytest.mark.parametrize("args", [args for calls in EVERY.values() for args in calls], ids=" ".join)
def test_every_command_answers_with_one_json_document(shell: Any, args: tuple[str, ...]) -> None:
    shell("init", "--preset", "life")
    kept = shell.remember("Alex lives in Porto", "--user", "alex", "--subject", "alex/residence")
    shell("remember", "Alex lives in Faro", "--user", "alex", "--subject", "alex/residence", "--by", "agent")
    shell("export", "in.jsonl")
    (shell.folder / "diary").mkdir()
    (shell.folder / "diary" / "2026-03-02.md").write_text("Walked along the river", encoding="utf-8")
    question = shell.json("questions")["questions"][0]["id"]
    answer = shell.json(*({"ID": kept, "QUESTION": question}.get(arg, arg) for arg in args))
    assert isinstance(answer, dict) and answer and "error" not in answer


def test_quiet_says_only_what_was_asked_for(made: Any) -> None:
    kept = made("-q", "remember", "Alex is vegetarian").stdout
    assert kept.startswith("fact_") and kept.count("\n") == 1
    assert made("confirm", kept.strip(), "--quiet").stdout == kept
    assert made("context", "vegetarian", "-q").stderr == ""
    assert made("observe", "hello", "-q").stdout.startswith("msg_")


def coloured(*args: str) -> str:
    return CliRunner().invoke(cli, args, color=True).stdout


def test_colour_is_for_terminals_and_can_be_refused(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made("remember", "Alex is vegetarian")
    assert "\x1b[" not in made("recall", "vegetarian").stdout
    assert "\x1b[" in coloured("recall", "vegetarian")
    assert "\x1b[" not in coloured("recall", "vegetarian", "--no-color")
    assert "\x1b[" not in coloured("--no-color", "recall", "vegetarian")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in coloured("recall", "vegetarian")


def test_remembered_text_cannot_steer_the_terminal(made: Any) -> None:
    made("remember", "red \x1b[31malert\x1b]0;title\x07 \u202etxt.exe alert")
    said = coloured("recall", "alert", "--no-color")
    assert "\x1b" not in said and "\x07" not in said and "\u202e" not in said and "alert" in said


def test_every_command_has_help(shell: Any) -> None:
    said = shell("--help").stdout
    for section in COMMANDS.values():
        for name in section:
            assert f"  {name} " in said and "Usage: " in shell(name, "--help").stdout
    assert shell("-h").stdout == said


def test_help_cuts_no_line_short(shell: Any) -> None:
    assert "..." not in shell("--help").stdout.replace("[ARGS]...", "").replace('"..."', "")


def test_version_is_the_packages(shell: Any) -> None:
    from toldonce import __version__

    assert shell("--version").stdout == f"toldonce {__version__}\n"


def own_preset(folder: Path) -> Path:
    from toldonce.presets import preset_text

    text, _ = preset_text("assistant")
    path = folder / "mine.toml"
    path.write_text(text.replace('name = "assistant"', 'name = "mine"'), encoding="utf-8")
    return path


def test_recall_makes_the_missing_vectors_after_it_has_answered(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who only uses the command line gets vectors too; scheduled jobs are left as they are."""
    with embedding() as server:
        monkeypatch.setenv("TOLDONCE_EMBEDDER", server.setting)
        made.remember("Alex is allergic to nuts", "--user", "alex")
        made.remember("Alex lives in Porto", "--user", "alex")
        assert made.json("stats")["waiting for a vector"] == 2
        made("recall", "peanut", "--user", "alex")
        assert server.asked[0] == ["peanut"], "nobody waits for a server before the answer"
        assert made.json("stats")["waiting for a vector"] == 0
        assert {run["name"] for run in made.json("runs")["runs"]} == {"embed"}


def test_a_few_new_records_are_found_by_meaning_at_once(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more wait for a vector, the newest get theirs before the answer, and the answer says that others wait."""
    monkeypatch.setattr("toldonce.recall.searcher.FEW_WAITING", 1)
    monkeypatch.setenv("TOLDONCE_EMBEDDER", "default")
    made.remember("the train was late again", "--user", "ana")
    made.remember("my sis ines is moving to porto", "--user", "ana")
    found = made.json("recall", "where does my sister live?", "--user", "ana")
    assert [hit["record"]["text"] for hit in found["hits"][:1]] == ["my sis ines is moving to porto"]
    assert found["waiting"] == 1


def test_the_command_alone_shows_a_short_help(shell: Any) -> None:
    said = shell()
    assert said.stderr == ""
    assert "toldonce --help" in said.stdout and len(said.stdout.splitlines()) < 12
    for line in said.stdout.splitlines():
        if line.startswith("  toldonce "):
            shell(line.split()[1], "--help")
