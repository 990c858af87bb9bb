#!/usr/bin/env bash
# Holds that suites of every version of the schema and exports of every provider can be read.
set -euo pipefail
cd "$(dirname "$0")/.."
command=("${EVALTUI:-evaltui}")
[ -z "${EVALTUI-}" ] && [ -x .venv/bin/evaltui ] && command=(.venv/bin/evaltui)
for suite in examples/*.json; do
  "${command[@]}" schema validate --input "$suite" --strict
done
"${command[@]}" contracts-check \
  --schema-fixtures-dir tests/fixtures/schema_backcompat \
  --adapter-fixtures-dir tests/fixtures/adapters \
  --min-fixtures-per-provider 2
