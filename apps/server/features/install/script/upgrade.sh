#!/bin/sh
# Runs the installer when the agent has left the release that is wanted. Where it comes from stands in agent.env, which the
# agent cannot change, and so does nothing else that the agent writes get here.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
request=/var/lib/sallyport-agent/upgrade
settings=/etc/sallyport-agent/agent.env
outcome=/opt/sallyport-agent/upgrade-outcome

words=$(head -c 200 "$request" | head -n 1)
# First, or it would be followed for ever.
rm -rf "$request" "$outcome"
release=${words%% *}
wish=${words#* }
case $release in '' | *[!0-9a-f]*) exit 1 ;; esac
case $wish in '' | *[!0-9a-f-]*) exit 1 ;; esac

fail() {
  printf '%s\n' "$1" >&2
  printf '%s\n%s\n' "$wish" "$1" >"$outcome.new"
  chmod 644 "$outcome.new"
  mv "$outcome.new" "$outcome"
  exit 1
}

service=$(sed -n 's/^SALLYPORT_URL=//p' "$settings")
[ -n "$service" ] || fail "$settings does not name the service"
script=$(mktemp)
trap 'rm -f "$script"' EXIT
curl -fsS --connect-timeout 15 --max-time 120 --retry 5 --retry-all-errors -o "$script" "$service/install/agent" ||
  fail "$service/install/agent could not be downloaded"
if said=$(sh "$script" --release "$release" 2>&1 </dev/null); then
  printf '%s\n' "$said"
else
  printf '%s\n' "$said" >&2
  reason=$(printf '%s\n' "$said" | tail -n 1)
  fail "${reason#sallyport-agent: }"
fi
