"""Settings: which layer wins, what relative paths count from, and what is refused by name."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from toldonce.config import (
    DEFAULT,
    KEYS,
    Config,
    Settings,
    environment_variable,
    find_project_file,
    is_path,
    load_config,
)
from toldonce.errors import ConfigError


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project's folder, in a machine without any settings."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "project" / "deep").mkdir(parents=True)
    return tmp_path / "project"


def settings(folder: Path, environ: dict[str, str] | None = None, **options: str | None) -> Settings:
    return load_config(cwd=folder, environ=environ or {}, options=options)


def test_with_nothing_said_a_memory_is_kept_in_the_users_own_folder(folder: Path, tmp_path: Path) -> None:
    found = settings(folder)
    assert found.config == Config(place=found.config.place)
    assert Path(found.config.place).name == "memory.db" and Path(found.config.place).is_relative_to(tmp_path / "home")
    assert set(found.sources) == set(KEYS) and set(found.sources.values()) == {DEFAULT} and found.files == ()


def test_each_layer_wins_over_the_one_before(folder: Path, tmp_path: Path) -> None:
    user = write(tmp_path / "user.toml", 'user = "file"\nspace = "file"\nzone = "Europe/Lisbon"\nembedder = "none"')
    project = write(folder / "toldonce.toml", 'user = "project"\nspace = "project"\nplace = "p.db"')
    environ = {"TOLDONCE_CONFIG": str(user), "TOLDONCE_USER": "variable", "TOLDONCE_PLACE": "v.db"}
    found = settings(folder, environ, place="option.db", user=None)
    config = found.config
    assert (config.embedder, config.space, config.user) == ("none", "project", "variable")
    assert config.place == str(folder / "option.db")
    assert found.sources == {
        "place": "--place",
        "preset": DEFAULT,
        "space": str(project),
        "user": "TOLDONCE_USER",
        "zone": str(user),
        "embedder": str(user),
        "reranker": DEFAULT,
        "writer": DEFAULT,
        "writer_strong": DEFAULT,
        "writer_tasks": DEFAULT,
        "writer_prices": DEFAULT,
        "writer_budget": DEFAULT,
        "taggers": DEFAULT,
        "vector_engine": DEFAULT,
        "key_command": DEFAULT,
        "log_level": DEFAULT,
        "log_format": DEFAULT,
        "otel": DEFAULT,
    }
    assert found.files == (user, project)


def test_the_users_file_is_found_in_the_users_settings_folder(folder: Path, tmp_path: Path) -> None:
    from toldonce.config import default_user_file

    assert default_user_file().is_relative_to(tmp_path / "home")
    write(default_user_file(), 'user = "alex"')
    assert settings(folder).config.user == "alex"


def test_the_nearest_file_above_a_folder_holds(folder: Path) -> None:
    write(folder / "toldonce.toml", 'user = "near"')
    write(folder.parent / "toldonce.toml", 'user = "far"\nspace = "far"')
    found = settings(folder / "deep").config
    assert (found.user, found.space) == ("near", "main")
    assert find_project_file(folder / "deep") == folder / "toldonce.toml"


@pytest.mark.parametrize(
    "place, expected",
    [
        ("m.db", "{folder}/m.db"),
        ("../m.db", "{folder}/../m.db"),
        ("/tmp/m.db", "/tmp/m.db"),
        ("~/m.db", "{home}/m.db"),
        (":memory:", ":memory:"),
        ("postgresql://host/db", "postgresql://host/db"),
    ],
)
def test_a_path_in_a_file_counts_from_that_file(folder: Path, place: str, expected: str) -> None:
    write(folder / "toldonce.toml", f'place = "{place}"\npreset = "own.toml"')
    found = load_config(cwd=folder / "deep", environ={}, trust=True).config
    assert found.place == expected.format(folder=folder, home=folder.parent / "home")
    assert found.preset == str(folder / "own.toml")


def test_a_path_from_environment_or_options_counts_from_the_current_folder(folder: Path) -> None:
    assert settings(folder / "deep", {"TOLDONCE_PLACE": "m.db"}).config.place == str(folder / "deep" / "m.db")
    assert settings(folder / "deep", place="m.db").config.place == str(folder / "deep" / "m.db")
    assert settings(folder, {"TOLDONCE_PRESET": "life"}).config.preset == "life"


def test_an_empty_variable_says_nothing(folder: Path) -> None:
    assert settings(folder, {"TOLDONCE_USER": "", "TOLDONCE_CONFIG": ""}).sources["user"] == DEFAULT


REFUSED = [
    ('plaice = "m.db"', "unknown key 'plaice'"),
    ("[recall]\nlimit = 3", "unknown key 'recall'"),
    ("place = 3", "place must be a str"),
    ('place = ""', "place is empty"),
    ('space = " "', "space is empty"),
    ('writer = ""', "writer is empty"),
    ('zone = "Mars/Base"', "zone: unknown time zone 'Mars/Base'"),
    ('log_level = "loud"', "log_level is 'loud'; choose one of debug, info, warning, error"),
    ('log_format = "xml"', "log_format is 'xml'"),
    ("place = ", "not valid TOML"),
]


@pytest.mark.parametrize("text, message", REFUSED)
def test_a_wrong_file_is_refused_with_its_name_and_key(folder: Path, text: str, message: str) -> None:
    path = write(folder / "toldonce.toml", text)
    with pytest.raises(ConfigError) as raised:
        load_config(cwd=folder, environ={}, trust=True)
    assert str(raised.value).startswith(f"{path}: ") and message in str(raised.value)


def test_a_file_that_is_no_text_is_refused(folder: Path) -> None:
    (folder / "toldonce.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="toldonce.toml: cannot be read"):
        settings(folder)


@pytest.mark.parametrize(
    "environ, message",
    [
        ({"TOLDONCE_PLAICE": "m.db"}, "TOLDONCE_PLAICE: unknown variable; known: .*TOLDONCE_PLACE"),
        ({"TOLDONCE_LOG_LEVEL": "loud"}, "TOLDONCE_LOG_LEVEL: log_level is 'loud'"),
        ({"TOLDONCE_ZONE": "Mars/Base"}, "TOLDONCE_ZONE: zone: unknown time zone"),
        ({"TOLDONCE_CONFIG": "/absent.toml"}, "TOLDONCE_CONFIG: there is no file /absent.toml"),
    ],
)
def test_a_wrong_variable_is_refused_by_its_name(folder: Path, environ: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        settings(folder, environ)


def test_other_programs_variables_are_left_alone(folder: Path) -> None:
    assert settings(folder, {"_TOLDONCE_COMPLETE": "bash_source", "TOLDONCEION": "x"}).sources["place"] == DEFAULT


def test_the_keys_of_services_are_no_settings_but_may_stand_in_the_environment(folder: Path) -> None:
    from toldonce.models.load import EMBEDDER_KEY, RERANKER_KEY, WRITER_KEY

    found = settings(folder, dict.fromkeys([EMBEDDER_KEY, RERANKER_KEY, WRITER_KEY, "OPENAI_API_KEY"], "secret"))
    assert "secret" not in str(found)


def test_every_setting_can_be_said_in_an_environment_variable() -> None:
    assert [environment_variable(key) for key in KEYS][:2] == ["TOLDONCE_PLACE", "TOLDONCE_PRESET"]
    assert all(isinstance(f.default, str) for f in fields(Config)), "a variable is a text, so a setting must be one"


def test_a_place_may_be_something_else_than_a_path() -> None:
    assert is_path("a.db") and not is_path(":memory:") and not is_path("https://host")


def test_defaults_are_among_the_choices() -> None:
    from toldonce.config import LogFormat, LogLevel

    assert Config().log_level in get_args(LogLevel) and Config().log_format in get_args(LogFormat)


def test_the_documented_way_opens_what_the_settings_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parent.parent / "docs" / "configuration.md").read_text(encoding="utf-8")
    code = page.rpartition("```python\n")[2].partition("```")[0]
    place = tmp_path / "not there yet" / "memory.db"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOLDONCE_PLACE", str(place))
    monkeypatch.setenv("TOLDONCE_ZONE", "Europe/Lisbon")
    monkeypatch.setenv("TOLDONCE_EMBEDDER", "none")
    names: dict[str, Any] = {}
    exec(code, names)
    with names["memory"] as memory:
        assert memory.space.zone == "Europe/Lisbon" and place.exists()
