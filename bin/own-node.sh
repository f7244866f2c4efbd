#!/bin/sh
# Run when the Node that the packages bring cannot start on this machine, for want of a library say, or is not there and
# the machine's own is too old. The Node that npm itself runs on takes its place, if it is new enough; otherwise this
# says what to install.
ours=node_modules/.bin/node
theirs=${npm_node_execpath:-node}
missing=$("$ours" --version 2>&1 >/dev/null | sed -n 's/.*loading shared libraries: \([^:]*\):.*/\1/p' | head -n 1)
version=$("$theirs" -p 'process.versions.node.split(".")[0]' 2>/dev/null)
if [ "${version:-0}" -ge 24 ]; then
  ln -sf "$theirs" "$ours" || exit 1
  echo "cadre: the packaged Node cannot run here${missing:+ without $missing}; taking $theirs (Node $version)" >&2
  exit 0
fi
case "$missing" in
  libatomic*) echo "cadre: the packaged Node cannot run here: install libatomic (Debian: apt install libatomic1), or Node 24 or newer" ;;
  ?*) echo "cadre: the packaged Node cannot run here: install $missing, or Node 24 or newer" ;;
  *) echo "cadre: there is no packaged Node that can run here (npm ci brings one): install Node 24 or newer" ;;
esac >&2
exit 1
