#!/usr/bin/env bash
# Makes dist/kerf and dist/kerf.zip: the binary, a clang for C files, the shared libraries that both need (except glibc's), completions and
# manual pages, and smoketest.sh. The folder can be moved.
set -euo pipefail
cd "$(dirname "$0")/.."
kerf=${1:?usage: dist.sh KERF}
dest=dist/kerf

# These libraries must be those of the system on which the folder is used: they must fit its kernel and its loader.
glibc='^(linux-vdso|ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libresolv|libutil|libanl|libnsl|libnss_[a-z]+)\.so'

export LD_LIBRARY_PATH=$PWD/third_party/z3/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
version=$("$kerf" --version)
major=$(printf '%s\n' "$version" | sed -n 's/.*LLVM \([0-9]*\)\..*/\1/p')
llvm=/usr/lib/llvm-$major

rm -rf $dest dist/kerf.zip
mkdir -p $dest/bin $dest/lib/clang
cp "$kerf" $dest/bin/kerf
cp -L "$llvm/bin/clang" "$dest/bin/clang-$major"
# clang finds its own headers relative to itself.
headers=$("$llvm/bin/clang" -print-resource-dir)
mkdir -p "$dest/lib/clang/$(basename "$headers")"
cp -rL "$headers/include" "$dest/lib/clang/$(basename "$headers")/"
for binary in "$kerf" "$llvm/bin/clang"; do
    ldd "$binary" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | while read -r name path; do
        [[ $name =~ $glibc ]] || cp -L "$path" "$dest/lib/$name"
    done
done
strip --strip-debug $dest/bin/kerf
# The loader looks for libraries of libraries where the binary says so only if it says it by RPATH (15). clang has RUNPATH (29).
python3 - "$dest/bin/clang-$major" <<'PY'
import struct, sys
with open(sys.argv[1], "r+b") as file:
    data = bytearray(file.read())
    begin, size, count = struct.unpack_from("<Q", data, 32) + struct.unpack_from("<HH", data, 54)
    headers = [struct.unpack_from("<IIQQQQ", data, begin + i * size) for i in range(count)]
    # Of the segment of the kind PT_DYNAMIC (2), the offset in the file.
    at = next(header[2] for header in headers if header[0] == 2)
    while (tag := struct.unpack_from("<Q", data, at)[0]) != 0:
        if tag == 29:
            struct.pack_into("<Q", data, at, 15)
        at += 16
    file.seek(0)
    file.write(data)
PY
cp LICENSE README.md pipeline/integrations/svcomp/smoketest.sh $dest/

# The licenses of what is copied: of Debian's packages, and of Z3's wheel.
mkdir $dest/licenses
for name in "clang-$major" $(ls $dest/lib); do
    package=$(dpkg -S "*/$name" 2>/dev/null | head -n 1 | cut -d: -f1) || continue
    [ -e "/usr/share/doc/$package/copyright" ] && cp "/usr/share/doc/$package/copyright" "$dest/licenses/$package"
done
[ ! -d third_party/z3/licenses ] || cp -r third_party/z3/licenses $dest/licenses/z3

man=$dest/share/man/man1
bash=$dest/share/bash-completion/completions
zsh=$dest/share/zsh/site-functions
fish=$dest/share/fish/vendor_completions.d
mkdir -p $bash $zsh $fish
"$kerf" man $man
"$kerf" completions bash >$bash/kerf
"$kerf" completions zsh >$zsh/_kerf
"$kerf" completions fish >$fish/kerf.fish

# Checks that it runs in another folder, with an empty environment, and finds all libraries except glibc's in the folder itself.
(cd dist && python3 -c 'import shutil; shutil.make_archive("kerf", "zip", ".", "kerf")')
moved=$(mktemp -d)
trap 'rm -rf "$moved"' EXIT
# Python's zipfile keeps no permissions.
python3 - dist/kerf.zip "$moved" <<'PY'
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        path = archive.extract(entry, sys.argv[2])
        os.chmod(path, entry.external_attr >> 16 or 0o755)
PY
mv "$moved/kerf" "$moved/elsewhere"
for binary in kerf "clang-$major"; do
    libraries=$(env -i LD_TRACE_LOADED_OBJECTS=1 "$moved/elsewhere/bin/$binary")
    foreign=$(printf '%s\n' "$libraries" | awk '$2 == "=>" {print $1, $3}' | grep -v "$moved" | awk '{print $1}' | grep -vE "$glibc" || true)
    if [ -n "$foreign" ]; then
        printf 'dist: libraries of %s from outside the folder:\n%s\n' "$binary" "$foreign" >&2
        exit 1
    fi
done
# Nothing else is in PATH, above all no other clang.
mkdir "$moved/tools"
for tool in bash cat dirname mktemp rm sed tail; do
    ln -s "$(command -v $tool)" "$moved/tools/"
done
(cd / && env -i PATH="$moved/tools" bash "$moved/elsewhere/smoketest.sh")
echo "dist: $dest ($(du -sh $dest | cut -f1)), dist/kerf.zip ($(du -h dist/kerf.zip | cut -f1))"
