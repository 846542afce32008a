#!/usr/bin/env bash
# Makes a stand-in for the official Python image, from Debian's own packages, where no registry of images can be
# reached: Debian's Python under the name that the Dockerfile asks for. Needs root, debootstrap and buildah.
#
#   deploy/image/base.sh NAME
set -euo pipefail
name=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

mirror=$(sed -nE 's#^(deb |URIs: *)(\[[^]]*\] )?(http[^ ]+).*#\3#p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1 || true)
debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root/tree" "$mirror"
# As the official image has it.
ln -s python3 "$root/tree/usr/bin/python"
# For RUN: the same sources as here, and nothing that was fetched for the tree.
cp -r /etc/apt/. "$root/tree/etc/apt/"
rm -rf "$root/tree/var/cache/apt/"* "$root/tree/var/lib/apt/lists/"*

buildah=(buildah --storage-driver overlay)
container=$("${buildah[@]}" from scratch)
"${buildah[@]}" add --quiet "$container" "$root/tree" / >/dev/null
"${buildah[@]}" commit --quiet --rm "$container" "$name"
