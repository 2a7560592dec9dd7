"""The case that the coding preset is made for: a complaint in everyday words finds its module, files and memories."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from toldonce import Memory
from toldonce.coding.codemap.document import to_document
from toldonce.coding.codemap.index import open_index
from toldonce.coding.codemap.modules import module_map
from toldonce.coding.codemap.scan import scan_tree
from toldonce.coding.hooks import entry
from toldonce.integrations.hosts import ContextProvider
from toldonce.tools.definition import Caller

NOW = datetime(2030, 1, 1, tzinfo=UTC)
FILES = {
    "src/auth/__init__.py": '"""Who may come in: sessions and tokens."""\n',
    "src/auth/session.py": (
        "from datetime import timedelta\n\nfrom src.auth.tokens import refresh\n\nTTL = timedelta(minutes=5)\n\n\n"
        "def renew(session):\n    return refresh(session.token)\n"
    ),
    "src/auth/tokens.py": (
        "EXPIRY = 300\n\n\ndef issue(user):\n    return {'sub': user, 'exp': EXPIRY}\n"
        "\n\ndef refresh(token):\n    return token\n"
    ),
    "src/auth/guard.py": "def require_login(request):\n    return request.cookies.get('sid')\n",
    "src/users/__init__.py": "",
    "src/users/models.py": "class User:\n    pass\n\n\ndef list_users():\n    return []\n",
    "src/users/pages.py": "from src.users.models import User\n\n\ndef users_page(users):\n    return users\n",
    "src/reports/export.py": "def export(rows):\n    '''Write rows after 5 minutes.'''\n",
    "src/reports/schedule.py": "EVERY_MINUTES = 5\n\n\ndef run_after(minutes):\n    return minutes\n",
    "src/audit/log.py": "def log(line):\n    '''Write a line to the log; logged lines are kept.'''\n",
    "src/audit/rotate.py": "def rotate(log):\n    return log\n",
    "src/billing/invoice.py": "class Invoice:\n    pass\n\n\ndef total(invoice):\n    return 0\n",
    "src/billing/tax.py": "RATE = 0.2\n",
}
TASKS = (
    "users are logged out after 5 minutes",
    "our customers keep getting kicked out of their accounts, why?",
    "os usuários são deslogados depois de 5 minutos",
    "a los usuarios se les cierra la sesión a los 5 minutos",
)
MEMORIES = {
    "src/auth/tokens.py": "Clock skew between the two servers makes fresh ones look old",
    "src/auth/session.py": "The Redis key is written before the response, never after it",
    "src/auth/guard.py": "Safari drops SameSite=None on HTTP",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [n for n in os.environ if n.startswith(("TOLDONCE_", "XDG_", "GIT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    root = tmp_path / "shop"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    (root / "toldonce.toml").write_text('place = "memory.db"\npreset = "coding"\n', encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def memory(project: Path) -> Iterator[Memory]:
    scan_tree(project, now=NOW)
    index = open_index(project)
    assert index is not None
    with index, Memory.open(project / "memory.db", "coding", embedder=None, background=False) as found:
        map_ = module_map(index)
        found.documents.change("codemap", lambda d: to_document(map_, space=d.space, at=NOW))
        yield found


def ask(project: Path, prompt: str, session: str = "s1") -> str:
    raw = {"session_id": session, "cwd": str(project), "prompt": prompt}
    told = entry.answer_hook(["claude-code", "prompt", "--no-tend"], json.dumps(raw).encode())
    return str(json.loads(told)["hookSpecificOutput"]["additionalContext"]) if told else ""


@pytest.mark.parametrize("task", TASKS)
def test_a_complaint_names_its_module_its_files_and_every_memory_there(
    project: Path, memory: Memory, task: str
) -> None:
    for file, text in MEMORIES.items():
        memory.remember(text, kind="gotcha", metadata={"file": file})
    memory.remember("CSV export needs a byte order mark", kind="gotcha", metadata={"file": "src/reports/export.py"})
    told = ask(project, task)
    lines = told.splitlines()
    first = lines[lines.index("Likely files:") + 1 :][:3]
    assert "Module: auth" in lines
    assert {"src/auth/session.py", "src/auth/tokens.py"} <= {line.partition(":")[0] for line in first}
    assert all(text in told for text in MEMORIES.values())
    assert "byte order mark" not in told


def test_a_memory_that_cites_a_file_of_the_module_counts_as_one_about_it(project: Path, memory: Memory) -> None:
    cited = {"cites": [{"path": "src/auth/guard.py", "first": 0, "last": 0, "digest": "", "opening": 0}]}
    memory.remember("Safari drops SameSite=None on HTTP", kind="gotcha", metadata=cited)
    memory.remember("Both of these change together", kind="context", metadata={"files": ["a.py", "src/auth/tokens.py"]})
    told = ask(project, TASKS[0])
    assert "Safari" in told and "change together" in told


def test_a_short_first_prompt_is_located_a_short_later_one_goes_on(project: Path, memory: Memory) -> None:
    assert "Module: auth" in ask(project, "login broken")
    assert "Module" not in ask(project, "rotate tax now")


def test_context_shows_the_modules_and_their_memories_as_a_hook_does(project: Path, memory: Memory) -> None:
    for file, text in MEMORIES.items():
        memory.remember(text, kind="gotcha", metadata={"file": file})
    memory.remember("CSV export needs a byte order mark", kind="gotcha", metadata={"file": "src/reports/export.py"})
    told = ContextProvider(memory, Caller(root=str(project))).get_context(TASKS[0])
    assert "Module: auth" in told and all(text in told for text in MEMORIES.values())
    assert "byte order mark" not in told
    assert "Module: auth" not in ContextProvider(memory, Caller()).get_context(TASKS[0])


def test_the_context_command_is_of_the_project_it_runs_in(shell: Any, project: Path, memory: Memory) -> None:
    memory.remember(MEMORIES["src/auth/guard.py"], kind="gotcha", metadata={"file": "src/auth/guard.py"})
    memory.close()
    told = shell("context", TASKS[0]).stdout
    assert "Module: auth" in told and "Safari" in told
    assert "Module: auth" not in shell("--place", str(project / "memory.db"), "context", TASKS[0]).stdout


def test_the_first_session_of_a_project_scans_it(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("init", "--preset", "coding")
    for name in ("auth/session.py", "auth/token.py", "billing/invoice.py", "billing/tax.py"):
        file = shell.folder / "src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'"""{name}."""\n', encoding="utf-8")
    started: list[list[str]] = []
    begin = b'{"session_id": "s1", "cwd": "%s", "source": "startup"}' % os.fsencode(shell.folder)

    def begin_session() -> None:
        with monkeypatch.context() as patch:
            patch.setattr("subprocess.Popen", lambda command, **_: started.append(command))
            entry.answer_hook(["claude-code", "session-start"], begin)

    begin_session()
    (command,) = started
    assert command[4] == "scan"
    shell(*command[4:])
    begin_session()
    assert started == [command]
    first, *_ = shell("locate", "users are logged out after 5 minutes: the session token").stdout.splitlines()
    assert "auth" in first
