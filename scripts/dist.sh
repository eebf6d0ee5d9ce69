#!/usr/bin/env bash
# Makes dist/kerf: the binary and the shared libraries it needs, except glibc's. The folder can be moved; C files need
# clang-22 in PATH, bitcode files do not.
set -euo pipefail
cd "$(dirname "$0")/.."
kerf=${1:?usage: dist.sh KERF}
dest=dist/kerf

# These libraries must be those of the system on which the folder is used: they must fit its kernel and its loader.
glibc='^(linux-vdso|ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libresolv|libutil|libanl|libnsl|libnss_[a-z]+)\.so'

rm -rf $dest
mkdir -p $dest/bin $dest/lib
cp "$kerf" $dest/bin/kerf
LD_LIBRARY_PATH=third_party/z3/lib ldd "$kerf" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | while read -r name path; do
    [[ $name =~ $glibc ]] || cp -L "$path" "$dest/lib/$name"
done
strip --strip-debug $dest/bin/kerf
cp LICENSE $dest/

# Checks that it runs in another folder, with an empty environment, and finds all libraries except glibc's in the folder itself.
moved=$(mktemp -d)
trap 'rm -rf "$moved"' EXIT
cp -r $dest "$moved/elsewhere"
(cd / && env -i "$moved/elsewhere/bin/kerf" --version)
foreign=$(env -i LD_TRACE_LOADED_OBJECTS=1 "$moved/elsewhere/bin/kerf" | awk '$2 == "=>" {print $1, $3}' | grep -v "$moved" | awk '{print $1}' | grep -vE "$glibc" || true)
if [ -n "$foreign" ]; then
    printf 'dist: libraries from outside the folder:\n%s\n' "$foreign" >&2
    exit 1
fi
printf 'int main(void) { return 0; }\n' >"$moved/one.c"
/usr/lib/llvm-22/bin/clang -c -emit-llvm "$moved/one.c" -o "$moved/one.bc"
(cd / && env -i "$moved/elsewhere/bin/kerf" verify "$moved/one.bc") | tail -n 1
echo "dist: $dest ($(du -sh $dest | cut -f1))"
