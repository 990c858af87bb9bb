"""What panes tell the screen: choices made in them, by mouse or key."""

from textual.message import Message

from evaltui.core.case import CaseKey


class CaseShown(Message):
    """The cursor of the cases pane came to rest on a case, or on none."""

    def __init__(self, key: CaseKey | None) -> None:
        super().__init__()
        self.key = key


class CaseOpened(Message):
    """Enter or a double click: show this case's detail."""

    def __init__(self, key: CaseKey) -> None:
        super().__init__()
        self.key = key


class SuiteShown(Message):
    """The suites pane narrows the cases to one suite; empty is all of them."""

    def __init__(self, suite: str) -> None:
        super().__init__()
        self.suite = suite


class ToolShown(Message):
    """The cursor of the side pane came to a tool; empty when there is none."""

    def __init__(self, tool: str) -> None:
        super().__init__()
        self.tool = tool


class FileWanted(Message):
    """Open a file in the editor; `file` is below the project root, `line` 1-based or 0."""

    def __init__(self, file: str, line: int = 0) -> None:
        super().__init__()
        self.file = file
        self.line = line


class FilterWanted(Message):
    """Narrow the cases with the filter language, e.g. `tool:get_weather`."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class CommandWanted(Message):
    """Run a row of the command table by id."""

    def __init__(self, command: str) -> None:
        super().__init__()
        self.command = command


class AgentWanted(Message):
    """Show the board of this agent."""

    def __init__(self, agent: str) -> None:
        super().__init__()
        self.agent = agent
