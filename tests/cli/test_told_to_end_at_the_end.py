"""SIGTERM when a run is over but its report is not: the report is written all the same."""

import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.projects import make_project

PROGRAM = """
import os, signal, sys
from evaltui.cli.main import run_command
from evaltui.reporters.junit import JunitReporter

close = JunitReporter.close

def told_to_end(self):
    os.kill(os.getpid(), signal.SIGTERM)
    close(self)

JunitReporter.close = told_to_end
sys.exit(run_command(["run", "--fail-on", "never", "--reporter", "junit=report.xml"]))
"""


def test_the_report_is_whole(tmp_path: Path) -> None:
    make_project(tmp_path)
    run = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, timeout=60, check=False)
    assert run.returncode != -signal.SIGTERM
    report = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert len(report.findall(".//testcase")) == 3
