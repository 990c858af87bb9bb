#!/usr/bin/env bash
# Builds the distributions into dist/ and holds that the wheel works in an environment of its own:
# the contracts, and a suite judged, compared and gated. Nothing is uploaded.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/build"
"$place/build/bin/pip" install -q build twine
rm -rf dist
"$place/build/bin/python" -m build --outdir dist .
"$place/build/bin/python" -m twine check --strict dist/*
python3 -m venv "$place/use"
"$place/use/bin/pip" install -q dist/*.whl
export PATH="$place/use/bin:$PATH"
evaltui --version
EVALTUI="$place/use/bin/evaltui" bash scripts/check_contracts.sh
evaltui run --suite examples/suite_good.json --out "$place/baseline"
evaltui run --suite examples/suite_good.json --out "$place/candidate"
evaltui compare --baseline "$place/baseline" --candidate "$place/candidate"
evaltui gate --compare "$place/candidate/compare/baseline_delta.json" --max-regressed-cases 0
ls -1 dist
