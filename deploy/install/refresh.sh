#!/bin/sh
# refresh.sh units|web: puts in place what this release needs of the machine, from where it lies. sallyport upgrade calls it.
set -eu
base=/opt/sallyport
settings=/etc/sallyport
state=/var/lib/sallyport
units=/etc/systemd/system
release=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
changed=''

say() { printf '%s\n' "$*"; }
warn() { printf 'sallyport: warning: %s\n' "$*" >&2; }
die() {
  printf 'sallyport: %s\n' "$*" >&2
  exit 1
}

for part in settings web service; do
  . "$release/deploy/install/$part.sh"
done
umask 022
case ${1:-} in
  units) write_units ;;
  web)
    domain='' mode=tls proxy='' had_nginx=''
    [ -f $settings/install.conf ] || exit 0
    . $settings/install.conf
    refresh_web
    ;;
  *) die 'refresh.sh takes units or web' ;;
esac
