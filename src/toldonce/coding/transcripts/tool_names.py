"""What a coding agent's tool does, by its name and arguments: read, search, list, edit, write, run, task or memory.

Names and arguments in, words and paths out. It imports next to nothing, since hooks ask it in processes that live for
a moment.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

DISCOVERY = ("read", "search", "list")
CHANGES = ("edit", "write")

# Tools by their names in lower case, whichever agent calls them so.
_TOOLS = {
    **dict.fromkeys("read read_file read_many_files view view_file notebookread cat".split(), "read"),
    **dict.fromkeys(
        "grep grep_search search search_file_content codebase_search ripgrep search_files websearch".split(), "search"
    ),
    **dict.fromkeys("glob ls list list_dir list_directory file_search glob_file_search list_files".split(), "list"),
    **dict.fromkeys(
        "edit multiedit notebookedit replace apply_patch patch edit_file search_replace strreplace str_replace "
        "str_replace_editor".split(), "edit",
    ),
    **dict.fromkeys("write write_file create_file write_to_file".split(), "write"),
    **dict.fromkeys(
        "bash shell shell_command local_shell run_shell_command run_terminal_cmd exec exec_command unified_exec "
        "container.exec"
        .split(), "run",
    ),
    **dict.fromkeys("task agent spawn_agent subagent".split(), "task"),
}  # fmt: skip
_PATH_KEYS = (
    "file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "relative_workspace_path",
    "paths", "filename",
)  # fmt: skip
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_SHELL = re.compile(r"^(?:/\S*/)?(?:bash|sh|zsh)\s+-l?c\s+(['\"])(.*)\1\s*$", re.DOTALL)
_BEFORE = re.compile(r"^\s*(?:cd\s+\S+\s*(?:&&|;)\s*|(?:[A-Z_][A-Z0-9_]*=\S*\s+)+|(?:sudo|time|command)\s+)+")
_EDITS = re.compile(r"\bsed\s+(?:-\w+\s+)*-i|(?:^|&&|;)\s*cat\s*>>?\s*\S|\bgit\s+apply\b|\bapply_patch\b")
_REDIRECTS = re.compile(r"(?<![<>2&])>>?\s*(?!/dev/|&)[\w./~-]+|\btee\s")
_PROGRAMS = {
    **dict.fromkeys("ls find fd tree du".split(), "list"),
    **dict.fromkeys("cat head tail nl less more sed awk wc bat".split(), "read"),
    **dict.fromkeys("grep rg ag ack".split(), "search"),
}
_GIT = {"grep": "search", "ls-files": "list", "ls-tree": "list", "log": "search", "show": "read", "blame": "read"}
_PATHLIKE = re.compile(r"^[\w.@~-]*(?:/[\w.@+-]+)+$|^[\w-][\w.-]*\.[A-Za-z]\w{0,5}$")
_QUOTES = "\"'`"


def operation_of_call(tool: str, given: Mapping[str, Any]) -> str:
    """What a call does; "" when it is none of our business."""
    name = tool.lower()
    if name.startswith("mcp") or "__" in name:
        return "memory" if "toldonce" in name else ""
    op = _TOOLS.get(name, "")
    if op == "run":
        return operation_of_command(command_of(given))
    if name == "str_replace_editor" and given.get("command") == "view":
        return "read"
    return op


def operation_of_command(command: str) -> str:
    """What a shell command does, by its first program."""
    if _EDITS.search(command):
        return "edit"
    if _REDIRECTS.search(command):
        return "run"
    words = _BEFORE.sub("", command).split()
    program = words[0].rsplit("/", 1)[-1] if words else ""
    if program == "git":
        return _GIT.get(next((w for w in words[1:] if not w.startswith("-")), ""), "run")
    return _PROGRAMS.get(program, "run")


def command_of(given: Mapping[str, Any]) -> str:
    """The shell command of a call, without the shell around it."""
    said = given.get("command", given.get("cmd", ""))
    if isinstance(said, list):
        said = str(said[-1]) if said[:1] in (["bash"], ["sh"], ["zsh"]) else " ".join(map(str, said))
    inner = _SHELL.match(str(said))
    return inner[2] if inner else str(said)


def paths_of(tool: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The files that a call names."""
    patch = next((v for k in ("input", "patch", "patchText", "command") if _is_patch(v := given.get(k))), None)
    if patch is not None:
        return tuple(path.strip() for path in _PATCHED.findall(str(patch)))
    for key in _PATH_KEYS:
        if value := given.get(key):
            return tuple(map(str, value)) if isinstance(value, list) else (str(value),)
    command = command_of(given)
    if _TOOLS.get(tool.lower()) == "run" and operation_of_command(command) == "read":
        words = [w.strip(_QUOTES) for w in command.split()[1:]]
        return tuple(w for w in words if _PATHLIKE.match(w))[:8]
    return ()


def _is_patch(value: object) -> bool:
    text = value[-1] if isinstance(value, list) and value else value
    return isinstance(text, str) and "*** Begin Patch" in text
