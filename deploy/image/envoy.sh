#!/usr/bin/env bash
# Makes a stand-in for Envoy's official image, where no registry of images can be reached: an Envoy of this machine, what
# it is linked with, and nothing else, under the name that the Dockerfile asks for. Needs root and buildah.
#
#   deploy/image/envoy.sh NAME BINARY
set -euo pipefail
name=$1 binary=$2
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"

install -D "$binary" "$tree/usr/local/bin/envoy"
ldd "$binary" | grep --only-matching '/[^ ]*' | xargs cp --parents --dereference --target-directory "$tree"
mkdir -p "$tree/etc/envoy"
install -d -m 1777 "$tree/tmp"

buildah=(buildah --storage-driver overlay)
container=$("${buildah[@]}" from scratch)
"${buildah[@]}" add --quiet "$container" "$tree" / >/dev/null
# As the official image has it.
"${buildah[@]}" config --entrypoint '["/usr/local/bin/envoy"]' --cmd '-c /etc/envoy/envoy.yaml' "$container"
"${buildah[@]}" commit --quiet --rm "$container" "$name"
