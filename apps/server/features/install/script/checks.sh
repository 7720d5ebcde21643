base=/opt/sallyport-agent
state=/var/lib/sallyport-agent
settings=/etc/sallyport-agent
units=/etc/systemd/system
ready=/run/sallyport-agent/ready
lock=/run/sallyport-agent-install.lock
agent=sallyport-agent.service
watchers='sallyport-agent-reboot.path sallyport-agent-upgrade.path'
least_memory_kb=380000

say() { printf '%s\n' "$*"; }
warn() { printf 'sallyport-agent: warning: %s\n' "$*" >&2; }
die() {
  printf 'sallyport-agent: %s\n' "$*" >&2
  exit 1
}

usage() {
  cat <<END
Installs the Sallyport node agent on this machine, or upgrades it in place.

  curl -fsSL $SERVICE_URL/install/agent | SALLYPORT_ENROL_TOKEN=… sh
  curl -fsSL $SERVICE_URL/install/agent | sh -s -- [options]

  --token TOKEN          the one-time token of this node, unless it is enrolled
  --release RELEASE      go to this one: what the service hands out, or one that is on this machine
  --dry-run              say what would be done, and do nothing
  --force-distribution   go on though nobody has tried this distribution
  --uninstall            remove the agent; what it knows stays in $state
  --purge                with --uninstall: remove that too
  --help                 this text
END
}

read_arguments() {
  token=${SALLYPORT_ENROL_TOKEN:-}
  wish=install wanted='' is_dry='' is_forced='' is_purge=''
  while [ $# -gt 0 ]; do
    case $1 in
      --token)
        [ $# -gt 1 ] || die '--token needs a value'
        token=$2
        shift
        ;;
      --token=*) token=${1#--token=} ;;
      --release)
        [ $# -gt 1 ] || die '--release needs a value'
        wanted=$2
        shift
        ;;
      --release=*) wanted=${1#--release=} ;;
      --dry-run) is_dry=yes ;;
      --force-distribution) is_forced=yes ;;
      --uninstall) wish=uninstall ;;
      --purge) is_purge=yes ;;
      --help | -h) wish=help ;;
      *) die "$1 is not an option; --help names them" ;;
    esac
    shift
  done
  case $token in
    *[!A-Za-z0-9_-]*) die 'the token has characters that no token has; copy it again' ;;
  esac
  case $wanted in
    *[!0-9a-f]*) die 'a release is named by digits and the letters a to f; ls /opt/sallyport-agent shows them' ;;
  esac
  [ -z "$is_purge" ] || [ "$wish" = uninstall ] || die '--purge goes with --uninstall'
}

check_rights() {
  [ "$(uname -s)" = Linux ] || die "this needs Linux, and this machine runs $(uname -s)"
  [ "$(id -u)" = 0 ] || die 'this needs root: run it with sudo sh'
  [ -d /run/systemd/system ] || die 'this needs systemd, which does not run here'
}

check_distribution() {
  name=$(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-}" "${VERSION_ID:-}") || name=''
  case $name in
    'debian 12' | 'debian 13' | 'ubuntu 22.04' | 'ubuntu 24.04') ;;
    *)
      tried='Debian 12 and 13, Ubuntu 22.04 and 24.04 are known to work'
      [ -n "$is_forced" ] || die "this is ${name:-an unknown system}; $tried (--force-distribution tries anyway)"
      command -v apt-get >/dev/null || warn 'there is no apt-get: missing packages are up to you'
      warn "this is ${name:-an unknown system}; $tried"
      ;;
  esac
}

is_going_back() { [ -n "$wanted" ] && [ "$wanted" != "$RELEASE" ]; }

check_machine() {
  machine=$(uname -m)
  [ "$machine" = "$MACHINE" ] ||
    die "the service hands out programs for $MACHINE, and this machine is $machine"
  getconf GNU_LIBC_VERSION >/dev/null 2>&1 || die 'this needs glibc, which this system does not have'
  memory=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
  [ "$memory" -ge "$least_memory_kb" ] ||
    die "this needs $((least_memory_kb / 1000)) MB of memory, and there are $((memory / 1000)) MB"
  # Nothing is fetched by whoever goes back.
  if is_going_back; then return 0; fi
  place=/opt
  [ -d $place ] || place=/
  free=$(df -Pk $place | awk 'NR == 2 { print $4 }')
  [ "$free" -ge "$NEEDED_KB" ] ||
    die "this needs $((NEEDED_KB / 1000)) MB of free disk in $place, and there are $((free / 1000)) MB"
}

has_token() { [ -n "$token" ] || [ -s $state/identity.json ]; }

check_token() {
  has_token ||
    die 'this machine is not enrolled: give the token that POST /operator/v1/nodes answered (--token, or SALLYPORT_ENROL_TOKEN)'
}

check_engines() {
  [ -n "$ENGINES" ] ||
    die 'the service has no engine to hand out: run "npm run engines:install" where the service is, then this again'
  while read -r line; do
    [ -z "$line" ] || warn "$line This node will not offer what needs it; run \"npm run engines:install\" where the service is, then this again"
  done <<END
$MISSING
END
}

check_service() {
  case $SERVICE_URL in
    https:*) ;;
    *) warn "$SERVICE_URL is not https: whoever is on the way can change what is installed" ;;
  esac
  command -v curl >/dev/null || return 0
  curl -fsS --max-time 20 --retry 3 --retry-all-errors -o /dev/null "$SERVICE_URL/healthz" 2>/dev/null ||
    die "$SERVICE_URL does not answer from here (it is PUBLIC_URL of the service, which nodes must reach)"
}

missing_packages() {
  command -v nft >/dev/null || echo nftables
  command -v ip >/dev/null && command -v ss >/dev/null || echo iproute2
  command -v setpriv >/dev/null && command -v prlimit >/dev/null || echo util-linux
  command -v curl >/dev/null || echo curl
  [ -s /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
}
