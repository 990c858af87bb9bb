"""The script files in force: read once, parsed again only when their bytes change."""

from pathlib import Path

from evaltui.core.errors import Problem, Severity
from evaltui.files import Places
from evaltui.registries.source import shown_path
from evaltui.registries.text_file import (
    IMPORT_MISSING,
    NOT_FOUND,
    SCRIPT_LIMIT,
    Unreadable,
    read_text_file,
)
from evaltui.registries.typescript.module import Export, Module, outline
from evaltui.registries.typescript.package_version import version_in_import
from evaltui.registries.typescript.resolution import Resolver
from evaltui.registries.typescript.syntax import parse_script, syntax_problem

KEPT = "Its last good definitions stay in force."
MAX_MODULES = 2_000
_ZOD = "zod"


class Program:
    """Modules by path, with what was worked out about each; call `begin` before each reading."""

    def __init__(self) -> None:
        self._modules: dict[str, Module] = {}
        self._root = Path()
        self._places: Places | None = None
        self._resolver = Resolver(Path())
        self.visited: dict[str, None] = {}
        """Shown path of every file that this reading needed."""
        self.problems: list[Problem] = []
        self.is_full = False
        """Whether a file was left out, since there are too many."""
        self.parsed = 0
        """Files parsed since the program was made."""

    def begin(self, root: Path, places: Places | None = None) -> None:
        """Look at the files again and forget whatever depended on one that changed."""
        if root != self._root:
            self._modules.clear()
        self._root, self._resolver = root, Resolver(root, places)
        self.visited, self.problems, self._places = {}, [], places
        self.is_full = False
        changed: set[str] = set()
        for path, module in list(self._modules.items()):
            fresh = self._load(path, module)
            if fresh is not module:
                changed.add(module.shown)
            if fresh is None:
                del self._modules[path]
            else:
                self._modules[path] = fresh
        for module in self._modules.values():
            for specifier, found in module.resolved.items():
                if self._resolver.resolve(specifier, module.path) != found:
                    changed.add(module.shown)
            if module.zod_version not in (None, self._zod_version(module)):
                changed.add(module.shown)
            if module.shown in changed:
                module.resolved.clear()
                module.missing.clear()
                module.zod_version = None
        for module in self._modules.values() if changed else ():
            stale = [key for key, (_, deps) in module.memo.items() if not changed.isdisjoint(deps)]
            for key in stale:
                del module.memo[key]

    def end(self) -> None:
        """Forget modules that nothing leads to any more; collect the others' problems."""
        # Which were asked hangs on what was remembered, so that every module in use is asked again.
        consulted = Resolver(self._root, self._places)
        for module in self._modules.values():
            if module.shown in self.visited:
                _consult(consulted, module)
        configs = sorted(shown_path(Path(path), self._root) for path in consulted.configs)
        self.visited.update(dict.fromkeys(configs))
        for path, module in list(self._modules.items()):
            if module.shown not in self.visited:
                del self._modules[path]
            else:
                self.problems += [module.problem] if module.problem is not None else []
                self.problems += [_missing(module, *item) for item in module.missing.items()]
                self.problems += module.given_up()
        self.problems += consulted.refused.values()
        self.problems.sort(key=lambda problem: (problem.file, problem.line))

    def module(self, path: str) -> Module | None:
        """The file's version in force; `None` when there is no such file."""
        module = self._modules.get(path)
        if module is None:
            if len(self._modules) >= MAX_MODULES:
                self.is_full = True
                return None
            module = self._load(path, None)
            if module is None:
                return None
            self._modules[path] = module
        self.visited[module.shown] = None
        return module

    def imported(self, specifier: str, importer: Module, line: int) -> Module | None:
        """The module an import means; `None` for a package, or a file that is not there."""
        if specifier not in importer.resolved:
            importer.resolved[specifier] = self._resolver.resolve(specifier, importer.path)
        path = importer.resolved[specifier]
        if path is None and self._resolver.is_missing(specifier, importer.path):
            importer.missing.setdefault(specifier, line)
        return None if path is None else self.module(path)

    def zod_version(self, specifier: str, importer: Module) -> int:
        """Major version of zod that an import means; 0 when nothing says which."""
        if said := version_in_import(specifier):
            return said
        if importer.zod_version is None:
            importer.zod_version = self._zod_version(importer)
        return importer.zod_version

    def _zod_version(self, module: Module) -> int:
        return self._resolver.version_of(_ZOD, module.path)

    def broken(self) -> set[str]:
        """Files in use that do not parse and have no good version in memory."""
        return {
            module.shown
            for module in self._modules.values()
            if module.is_broken or (module.root is None and module.problem is not None)
        }

    def _load(self, path: str, kept: Module | None) -> Module | None:
        shown = kept.shown if kept is not None else shown_path(Path(path), self._root)
        try:
            file = read_text_file(Path(path), shown, SCRIPT_LIMIT, self._places)
        except Unreadable as error:
            if error.problem.code == NOT_FOUND:
                return None
            if kept is None or kept.root is None:
                return kept or Module(path, shown, "", b"", problem=error.problem)
            kept.problem, kept.rejected = _kept(error.problem), error.problem.code
            return kept
        if kept is not None and kept.digest == file.digest:
            if kept.rejected:
                kept.problem, kept.rejected = None, ""
            return kept
        if kept is not None and kept.rejected == file.digest:
            return kept
        module = self._parse(path, shown, file.digest, file.text)
        if module.problem is None or kept is None or kept.root is None or kept.is_broken:
            return module
        kept.problem, kept.rejected = _kept(module.problem), file.digest
        return kept

    def _parse(self, path: str, shown: str, digest: str, text: str) -> Module:
        self.parsed += 1
        data = text.encode("utf-8", "surrogatepass")
        is_data = path.endswith(".json")
        # A JSON document is a JavaScript expression, once in brackets.
        data = b"(" + data + b"\n)" if is_data else data
        root = parse_script(data, path).root_node
        module = Module(path, shown, digest, data, root, is_data)
        module.problem = syntax_problem(root, data, shown)
        if is_data:
            expression = root.named_children[0].named_children if root.named_children else []
            module.exports = [
                Export("default", "", None, node, is_whole=True) for node in expression[:1]
            ]
        else:
            outline(module)
        return module


def _consult(resolver: Resolver, module: Module) -> None:
    """Read the configuration that says what a module's imports mean, whoever asks for them."""
    sources = [*module.imports.values(), *module.effects]
    sources += [export.source for export in module.exports if export.source is not None]
    is_open = b"require" in module.data
    if is_open or any(not source.specifier.startswith(".") for source in sources):
        resolver.consult_aliases(module.path)
    if _ZOD.encode() in module.data or any(source.name == "z" for source in sources):
        resolver.version_of(_ZOD, module.path)


def _missing(module: Module, specifier: str, line: int) -> Problem:
    return Problem(
        module.shown,
        f"imports `{specifier}`, which does not exist",
        "Correct the path; what comes from there is not checked.",
        line,
        severity=Severity.WARNING,
        code=IMPORT_MISSING,
    )


def _kept(problem: Problem) -> Problem:
    return Problem(
        problem.file,
        problem.what,
        f"{problem.hint} {KEPT}",
        problem.line,
        problem.column,
        code=problem.code,
    )
