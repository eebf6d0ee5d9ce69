#!/usr/bin/env bash
# Installs what the build needs and is not installed yet: LLVM and its clang (Debian), 32-bit C headers, Z3 (PyPI's wheel).
# usage: setup.sh [llvm14|llvm16|llvm22]; the default is llvm22.
# It can be run again: what is installed already is not changed, and if nothing is missing, no special rights are needed.
set -euo pipefail
cd "$(dirname "$0")/.."

z3_version=5.4.0
z3_wheel=z3_solver-5.4.0.0-py3-none-manylinux_2_27_x86_64.whl
z3_sha256=0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b
z3_dir=third_party/z3

case ${1:-llvm22} in
llvm14 | llvm16 | llvm22) llvm=${1:-llvm22} && llvm=${llvm#llvm} ;;
*) echo "usage: setup.sh [llvm14|llvm16|llvm22]" >&2 && exit 1 ;;
esac

# Debian package : a file that it contains
needed=(
    llvm-$llvm-dev:/usr/lib/llvm-$llvm/bin/llvm-config
    llvm-$llvm:/usr/lib/llvm-$llvm/bin/llvm-objcopy
    clang-$llvm:/usr/lib/llvm-$llvm/bin/clang
    # CaDiCaL's bindings are made from its header.
    libclang1-$llvm:/usr/lib/llvm-$llvm/lib/libclang-$llvm.so.1
    # The tests compile with sanitizers.
    libclang-rt-$llvm-dev:/usr/share/doc/libclang-rt-$llvm-dev
    g++:/usr/bin/g++
    libc6-dev-i386:/usr/include/x86_64-linux-gnu/gnu/stubs-32.h
    lib32gcc-12-dev:/usr/lib/gcc/x86_64-linux-gnu/12/32/libgcc.a
    make:/usr/bin/make
    python3:/usr/bin/python3
)
missing=()
for entry in "${needed[@]}"; do
    package=${entry%%:*} file=${entry#*:}
    [ -e "$file" ] && continue
    # These may be installed elsewhere in PATH.
    case $package in python3 | make | g++) command -v "$package" >/dev/null && continue ;; esac
    missing+=("$package")
done
python3 -m pip --version >/dev/null 2>&1 || [ -e $z3_dir/VERSION ] || missing+=(python3-pip)

if [ "${#missing[@]}" -gt 0 ]; then
    if [ "$(id -u)" = 0 ]; then
        sudo=()
    elif sudo -n true 2>/dev/null; then
        sudo=(sudo -n)
    else
        echo "setup: these Debian packages are missing and need root's rights: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    echo "setup: installing ${missing[*]}"
    "${sudo[@]}" apt-get update -q
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

if [ "$(cat $z3_dir/VERSION 2>/dev/null)" != "$z3_sha256" ]; then
    echo "setup: fetching Z3 $z3_version"
    tmp=$(mktemp -d)
    trap 'rm -rf "$tmp"' EXIT
    python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
        --platform manylinux_2_27_x86_64 -d "$tmp" "z3-solver==$z3_version"
    echo "$z3_sha256  $tmp/$z3_wheel" | sha256sum --check --quiet
    mkdir -p $z3_dir
    python3 - "$tmp/$z3_wheel" "$tmp/z3" <<'PY'
import sys, zipfile
zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])
PY
    rm -rf $z3_dir/lib
    mkdir -p $z3_dir/lib
    cp "$tmp/z3/z3/lib/libz3.so.5.4" $z3_dir/lib/
    ln -s libz3.so.5.4 $z3_dir/lib/libz3.so
    cp -r "$tmp"/z3/z3_solver-*.dist-info/licenses $z3_dir/ 2>/dev/null || true
    echo "$z3_sha256" >$z3_dir/VERSION
fi
echo "setup: complete (LLVM $(/usr/lib/llvm-$llvm/bin/llvm-config --version), Z3 $z3_version)"
