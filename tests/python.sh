#!/bin/bash
# The Python package, as its users have it: wheel and source archive are built in a clean virtual environment and installed,
# the source archive there, the wheel where the tests are; then pytest, the examples of the docstrings, and mypy --strict.
# What comes from the network is pinned by hash (python/tests/requirements.txt). PYTHON chooses another Python.
#     tests/python.sh docs      ends with the API reference, in build/docs
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(realpath -m "${BUILD:-build}")/python-test
pins=python/tests/requirements.txt
passed=0
failed=0
export PIP_DISABLE_PIP_VERSION_CHECK=1

# check NAME COMMAND…: one test; its output is shown where it fails.
check() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        echo "FAILED $name"
        tail -n 40 "$work/log"
        failed=$((failed + 1))
    fi
}

finish() {
    echo "$passed passed, $failed failed"
    exit $((failed > 0))
}

# suite ARGUMENTS…: tests of pytest, each counted.
suite() {
    local summary
    "$work/test/bin/python" -m pytest -q -p no:cacheprovider "$@" >"$work/log" 2>&1 || tail -n 80 "$work/log"
    summary=$(tail -n 1 "$work/log")
    count() { grep -o "[0-9]* $1" <<<"$summary" | grep -o '[0-9]*' || echo 0; }
    passed=$((passed + $(count passed)))
    failed=$((failed + $(count failed) + $(count error) + $(count skipped)))
    [ "$(count passed)" != 0 ] || failed=$((failed + 1))
}

install() { "$work/$1/bin/pip" install -q --no-index --no-deps --no-build-isolation --force-reinstall "$2"; }
install_quick() (unset BUILD && export CFLAGS=-O0 && install "$@") # all of it is compiled again
# The pages of the API, made from the docstrings.
reference() { "$work/test/bin/python" scripts/reference.py "$work/../docs"; }
first_use() { # away from the sources
    (cd / && "$work/$1/bin/python" -c 'import tessera; print(tessera.parse("def a(I):\n    return rot90(I)")[0]([[1, 2]]))' &&
        "$work/$1/bin/tessera" eval 'add(1, 2)')
}

mkdir -p "$work"
rm -f "$work"/*.whl "$work"/*.tar.gz
sed -n '/^[a-z]/p' $pins | head -n 4 >"$work/build-pins.txt"
check 'environment to build in' scripts/environment "$work/clean" "$work/build-pins.txt"
check 'environment to test in' scripts/environment "$work/test" $pins
[ $failed = 0 ] || finish

check 'wheel' "$work/clean/bin/pip" wheel -q --no-index --no-deps --no-build-isolation -w "$work" .
check 'source archive' "$work/clean/bin/python" -c \
    "import setuptools.build_meta as b, sys; sys.argv[1:] = []; b.build_sdist('$work')"
[ $failed = 0 ] || finish
check 'install the wheel' install test "$work"/tessera_arc-*.whl
check 'install the source archive' install_quick clean "$work"/tessera_arc-*.tar.gz
check 'API reference' reference
[ "${1:-}" != docs ] || finish
check 'first use of the wheel' first_use test
check 'first use of the source archive' first_use clean
check 'mypy' "$work/test/bin/mypy" --strict --cache-dir "$work/mypy" python/tessera
# A user's program, with what the installed package says of the language (dsl.pyi).
check 'mypy of a program' "$work/test/bin/mypy" --strict --cache-dir "$work/mypy" python/tests/typed_program.py

# What one test registers as a primitive all later ones would have.
suite python/tests --ignore python/tests/test_primitive.py
suite python/tests/test_primitive.py
suite --doctest-modules --pyargs tessera
finish
