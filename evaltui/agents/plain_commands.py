"""Which commands are plain: made of nothing but the files they name and what those import, apart
from files that the program reads.

What is not recognized is not plain. That is no fault of a command: nobody knows then which files of
the project belong to it, and any of them may.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from shlex import shlex

from evaltui.files import is_folder, is_there, read_file

LINE_BYTES = 64 << 10
_DEEPEST = 3
"""Shells within shells, as far as anybody looks into them."""
_SHELL = re.compile(r"(ba|da|k|z)?sh")
_PYTHON = re.compile(r"python[\d.]*(\.exe)?")
_PLAIN_FLAGS = re.compile(r"-[bBdEiOqsSuvx]+|-[XW].+")
_MODULE = re.compile(r"-[bBdEiIOPqsSuvx]*m(.*)")
_CODE = re.compile(r"-[bBdEiIOPqsSuvx]*c")
_LINE = re.compile(r"-[aefhilmnuvx]*c")
_SET = re.compile(r"-[aefhilmnuvx]*o")
_SHELL_OPTION = re.compile(r"-[aefhilmnuvx]+|--(norc|noprofile|login|posix)?")
_READERS = frozenset(
    (
        *("cat", "cut", "date", "echo", "exit", "export", "false", "head", "jq", "nl", "printf"),
        *("pwd", "rev", "sed", "set", "sleep", "sort", "tac", "tail", "tee", "test", "tr", "true"),
        *("uniq", "wc", ":"),
    )
)
"""They start nothing, and read what they name."""
_PASSING_ON = frozenset(("command", "exec", "nohup", "setsid", "time"))
_KEYWORDS = frozenset(("if", "then", "else", "elif", "fi", "while", "until", "do", "done", "!"))
_UV = frozenset(("--frozen", "--isolated", "--no-project", "--no-sync", "--quiet", "-q"))
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_STEERING = frozenset(("BASH_ENV", "CDPATH", "ENV", "IFS", "PATH", "PYTHONHOME", "PYTHONSTARTUP"))
"""What stands in them decides which files are found."""
_QUOTED = re.compile(r"""'[^']*'|"((?:[^"\\]|\\.)*)"|\\.""", re.DOTALL)
_EXPANDED = re.compile(r"\\.|\$.?|`", re.DOTALL)
_UNKNOWN = re.compile(r"[`*?\[{~]|\$(?![@#?!*\d-])|<<|[<>]\(")
"""What a shell makes other words of, or files, or text on the standard input; positional ones are
words of the command."""
_COMMENT = re.compile(r"^\s*#.*", re.MULTILINE)
_HERE = re.compile(r"\$PWD/|\$\{PWD\}/|\$\(pwd\)/")


def is_plain(
    argv: Sequence[str], cwd: Path, root: Path, env: Mapping[str, str] | None = None
) -> bool:
    """Of a command that is started in a folder, with these variables of its own."""
    plain = _Plain(root)
    return are_usual(env or {}, cwd, root) and plain.command([*argv], cwd, _DEEPEST)


def are_usual(env: Mapping[str, str], folder: Path, root: Path) -> bool:
    """Whether such variables make no other files be found than without them."""
    for name, value in env.items():
        if name in _STEERING:
            return False
        if name == "PYTHONPATH":
            places = {(folder / part).resolve() for part in value.split(":")}
            others = places - {one.resolve() for one in (folder, root, root / "src")}
            if any(map(is_folder, others)):
                return False
    return True


def at_hand(line: str) -> str:
    """A line for a shell with what stands in the folder it is in named from there."""
    return _HERE.sub("./", line)


def script_line(path: Path) -> str:
    """The text of a script for a shell, as a line; empty for any other file."""
    try:
        text = read_file(path, LINE_BYTES).decode()
    except (OSError, UnicodeDecodeError):
        return ""
    first = text.partition("\n")[0]
    is_shell = first.startswith("#!") and any(
        _SHELL.fullmatch(PurePath(word).name) for word in first[2:].split()
    )
    return _COMMENT.sub("", text) if is_shell or path.suffix in (".sh", ".bash") else ""


class _Plain:
    def __init__(self, root: Path) -> None:
        self._root = root

    def command(self, words: list[str], folder: Path, depth: int) -> bool:
        """One command, without what stands between several."""
        words, is_known = _unwrapped(words, folder, self._root)
        if not is_known or depth < 0:
            return False
        if not words:
            return True
        program, args = words[0], words[1:]
        name = PurePath(program).name or program
        if name.endswith(".py") and self._is_own(folder / program):
            return True
        if "/" in program and self._is_own(folder / program):
            return self._script(folder / program, folder, depth)
        if _PYTHON.fullmatch(name):
            return self._python(args, folder)
        if _SHELL.fullmatch(name):
            return self._shell(args, folder, depth)
        if name in (".", "source"):
            return bool(args) and self._script(folder / args[0], folder, depth)
        return name in _READERS and all(_is_usual(word, folder, self._root) for word in args)

    def line(self, text: str, folder: Path, depth: int) -> bool:
        """A line for a shell, or several. It may change its folder only before all else."""
        text = at_hand(text)
        if _UNKNOWN.search(_QUOTED.sub(_expanded, text)):
            return False
        is_first = "(" not in text
        for words in _commands(text):
            if words[0] != "cd":
                is_first = False
                if not self.command(words, folder, depth - 1):
                    return False
            elif not is_first or len(words) != 2 or not is_folder(folder / words[1]):
                return False
            else:
                folder = folder / words[1]
        return True

    def _python(self, args: list[str], folder: Path) -> bool:
        while args:
            word, args = args[0], args[1:]
            if word in ("-X", "-W"):
                args = args[1:]
            elif found := _MODULE.fullmatch(word):
                module = found[1] or (args[0] if args else "")
                return self._is_module(module, folder)
            elif _CODE.fullmatch(word):
                return bool(args)
            elif not _PLAIN_FLAGS.fullmatch(word):
                path = folder / word
                is_one = path.suffix == ".py" and self._is_own(path)
                return is_one or self._is_own(path / "__main__.py")
        return False

    def _shell(self, args: list[str], folder: Path, depth: int) -> bool:
        while args:
            word, args = args[0], args[1:]
            if _LINE.fullmatch(word):
                return bool(args) and self.line(args[0], folder, depth)
            if _SET.fullmatch(word):
                args = args[1:]
            elif not _SHELL_OPTION.fullmatch(word):
                return self._script(folder / word, folder, depth)
        return False

    def _script(self, path: Path, folder: Path, depth: int) -> bool:
        return bool(text := script_line(path)) and self.line(text, folder, depth)

    def _is_module(self, name: str, folder: Path) -> bool:
        places = (folder, self._root, self._root / "src")
        paths = [place.joinpath(*name.split(".")) for place in places if name]
        return any(
            self._is_own(path / "__main__.py") or self._is_own(path.with_name(f"{path.name}.py"))
            for path in paths
        )

    def _is_own(self, path: Path) -> bool:
        return is_there(path) and self._root.resolve() in path.resolve().parents


def _unwrapped(words: list[str], folder: Path, root: Path) -> tuple[list[str], bool]:
    """The program and its arguments, without what only passes them on; whether all of that is
    known."""
    while words:
        name = PurePath(words[0]).name
        if words[0] in _KEYWORDS:
            words = words[1:]
        elif found := _ASSIGNED.fullmatch(words[0]):
            if not are_usual({found[1]: found[2]}, folder, root):
                return [], False
            words = words[1:]
        elif name == "env":
            words = words[1:]
            if words[:1] == ["-S"] and len(words) == 2:
                words = [*shlex(words[1], posix=True, punctuation_chars=True)]
        elif name in _PASSING_ON:
            words = words[1:]
            words = words[1:] if words[:1] in (["-w"], ["-p"]) else words
        elif name == "nice" and words[1:2] == ["-n"]:
            words = words[3:]
        elif name == "timeout" and len(words) > 1 and words[1][:1].isdigit():
            words = words[2:]
        elif name == "uv" and words[1:2] == ["run"]:
            words = words[2:]
            while words and words[0] in _UV:
                words = words[1:]
            if words[:1] == ["-m"]:
                words = ["python", *words]
        else:
            break
    return words, True


def _is_usual(word: str, folder: Path, root: Path) -> bool:
    if word != "." and is_folder(folder / word):
        return False  # what is in it is named by nobody
    found = _ASSIGNED.fullmatch(word)
    return found is None or are_usual({found[1]: found[2]}, folder, root)


def _expanded(match: re.Match[str]) -> str:
    """What a shell expands of a quoted piece, which in single quotes is nothing."""
    found: Iterable[str] = _EXPANDED.findall(match[1] or "")
    return " ".join(one for one in found if not one.startswith("\\"))


def _commands(text: str) -> Iterator[list[str]]:
    """The words of each, without redirections; what is read from a file is an argument."""
    lexer = shlex(text, posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    words: list[str] = []
    is_written = False
    try:
        tokens = [*lexer]
    except ValueError:  # a quote that is never closed
        tokens = ["(unknown)"]
    for token in (*tokens, ";"):
        if set(token) <= set("();|&\n"):
            if words:
                yield words
            words, is_written = [], False
        elif set(token) <= set("<>&|"):
            is_written = ">" in token
        elif is_written:
            is_written = False
        else:
            words.append(token)
