#!/usr/bin/env bash
# System packages that some tests use: tmux for the dashboard in a real terminal, Node for servers
# that exist only there, Chromium for the dashboard in a browser. A test whose package is missing
# skips and says so.
set -u
missing=()
command -v tmux >/dev/null || missing+=(tmux)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} -eq 0 ]; then
  echo "system packages: all there"
elif command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  apt-get update -qq && apt-get install -qq -y --no-install-recommends "${missing[@]}" \
    || echo "system packages: could not install ${missing[*]}; the tests that need them will skip"
else
  echo "system packages: ${missing[*]} not found; the tests that need them will skip"
fi
if ! command -v chromedriver >/dev/null; then
  { command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] && apt-get update -qq \
    && apt-get install -qq -y --no-install-recommends chromium chromium-driver >/dev/null; } \
    || echo "system packages: no chromium and chromedriver; the test that needs them will skip"
fi
if command -v npm >/dev/null; then
  timeout 300 sh "$(dirname "$0")/node-packages.sh" \
    || echo "npm packages: could not install them; the tests that need them will skip"
fi
exit 0
