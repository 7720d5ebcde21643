#!/bin/sh
# Installs the Sallyport service on a bare Debian or Ubuntu. docs/operations.md says what it does.
set -eu

# Where releases are, without a slash at the end: a folder with sallyport-<version>-linux-<arch>.tar.gz, the same name with
# .sha256, and a file "latest" that names a version.
RELEASES=${SALLYPORT_RELEASES:-}

base=/opt/sallyport
settings=/etc/sallyport
state=/var/lib/sallyport
units=/etc/systemd/system
lock=/run/sallyport-install.lock
least_memory_kb=900000
needed_kb=2500000
port=8081
unit=sallyport@$port.service

say() { printf '%s\n' "$*"; }
warn() { printf 'sallyport: warning: %s\n' "$*" >&2; }
die() {
  printf 'sallyport: %s\n' "$*" >&2
  exit 1
}

usage() {
  cat <<END
Installs the Sallyport service on this machine: PostgreSQL, Redis, nginx with a certificate, and the service itself.

  curl -fsSL https://…/install.sh | sh -s -- --domain vpn.example.com --email me@example.com
  deploy/install.sh --domain vpn.example.com --email me@example.com      from an unpacked release

  --domain NAME          where customers come; it has to lead to this machine
  --email ADDRESS        whom the certificate authority and alerts write to
  --release FILE_OR_URL  the release to install, with FILE_OR_URL.sha256 beside it
  --sha256 SUM           its checksum, instead of that file
  --owner NAME           the first operator (owner)
  --location CODE:RU:EN  a first location, like nl:Нидерланды:Netherlands
  --price ROUBLES        a first price of 30 days
  --acme-server URL      another certificate authority than Let's Encrypt
  --no-tls               plain HTTP: for trying out, and where nobody else is on the way
  --tls                  a certificate after all, where one of these two was said before
  --behind-proxy CIDR,…  a balancer of yours has the certificate and comes from there by plain HTTP
  --database-url URL     PostgreSQL elsewhere, instead of one on this machine
  --redis-url URL        Redis elsewhere, instead of one on this machine
  --dry-run              say what would be done, and do nothing
  --force-distribution   go on though nobody has tried this distribution
  --uninstall            remove the service; data, settings and certificates stay
  --purge                with --uninstall: remove these too
  --yes                  ask nothing
  --help                 this text
END
}

read_arguments() {
  wish=install is_dry='' is_forced='' is_purge='' is_yes=''
  given_domain='' given_email='' given_mode='' given_proxy='' given_acme='' given_database='' given_redis=''
  given_release='' given_sum='' owner=owner location='' price=''
  while [ $# -gt 0 ]; do
    case $1 in
      --*=*)
        argument=$1
        shift
        set -- "${argument%%=*}" "${argument#*=}" "$@"
        ;;
    esac
    case $1 in
      --domain | --email | --release | --sha256 | --owner | --location | --price | --acme-server | --behind-proxy | --database-url | --redis-url)
        [ $# -gt 1 ] && [ -n "$2" ] || die "$1 needs a value"
        read_value "$1" "$2"
        shift
        ;;
      --no-tls) say_mode plain ;;
      --tls) say_mode tls ;;
      --dry-run) is_dry=yes ;;
      --force-distribution) is_forced=yes ;;
      --uninstall) wish=uninstall ;;
      --purge) is_purge=yes ;;
      --yes) is_yes=yes ;;
      --help | -h) wish=help ;;
      *) die "$1 is not an option; --help names them" ;;
    esac
    shift
  done
  [ -z "$is_purge" ] || [ "$wish" = uninstall ] || die '--purge goes with --uninstall'
}

say_mode() {
  [ "${given_mode:-$1}" = "$1" ] || die '--tls, --no-tls and --behind-proxy exclude each other'
  given_mode=$1
}

read_value() {
  case $2 in *[!A-Za-z0-9._:/@?=\&%+,~\ -]*) case $1 in --location | --owner | --database-url | --redis-url) ;; *) die "$1 has characters that do not belong there" ;; esac ;; esac
  case $1 in
    --domain)
      case $2 in *[!A-Za-z0-9.-]* | .* | -* | *..*) die "--domain takes a name like vpn.example.com, not $2" ;; esac
      given_domain=$2
      ;;
    --email)
      case $2 in *@*.*) given_email=$2 ;; *) die "--email takes an address like me@example.com, not $2" ;; esac
      ;;
    --release) given_release=$2 ;;
    --sha256)
      case $2 in *[!0-9a-f]*) die "--sha256 takes 64 digits of 0-9 and a-f, not $2" ;; esac
      [ ${#2} = 64 ] || die "--sha256 takes 64 digits of 0-9 and a-f, not $2"
      given_sum=$2
      ;;
    --owner) owner=$2 ;;
    --location)
      case $2 in
        *:*:*:* | :* | *: | *::*) die "--location looks like nl:Нидерланды:Netherlands, not $2" ;;
        *:*:*) location=$2 ;;
        *) die "--location looks like nl:Нидерланды:Netherlands, not $2" ;;
      esac
      ;;
    --price)
      case $2 in *[!0-9]* | 0* | ??????????*) die "--price takes whole roubles above 0, not $2" ;; esac
      price=$2
      ;;
    --acme-server) given_acme=$2 ;;
    --behind-proxy)
      case $2 in */0 | */0,*) die "--behind-proxy $2 would let every caller say who it is: name the addresses of the proxy" ;; esac
      say_mode behind
      given_proxy=$2
      ;;
    --database-url | --redis-url)
      # It stands in quotes in a file that systemd reads; the value is not said, for it has a password.
      case $2 in *[!!-~]* | *\"* | *\\*) die "$1 has characters that have to be written otherwise in an address, like %20 for a space" ;; esac
      case $1 in --database-url) given_database=$2 ;; *) given_redis=$2 ;; esac
      ;;
  esac
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
      tried='Debian 12 and 13, Ubuntu 22.04 and 24.04 are meant'
      [ -n "$is_forced" ] || die "this is ${name:-an unknown system}; $tried (--force-distribution tries anyway)"
      warn "this is ${name:-an unknown system}; $tried"
      ;;
  esac
  command -v apt-get >/dev/null || die 'this needs apt-get'
}

check_machine() {
  case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=arm64 ;;
    *) die "there are releases for x86_64 and aarch64, and this machine is $(uname -m)" ;;
  esac
  getconf GNU_LIBC_VERSION >/dev/null 2>&1 || die 'this needs glibc, which this system does not have'
  memory=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
  [ "$memory" -ge "$least_memory_kb" ] ||
    die "this needs $((least_memory_kb / 1000)) MB of memory, and there are $((memory / 1000)) MB"
  [ ! -e $base/current ] || return 0
  free=$(df -Pk / | awk 'NR == 2 { print $4 }')
  [ "$free" -ge "$needed_kb" ] ||
    die "this needs $((needed_kb / 1000)) MB of free disk, and there are $((free / 1000)) MB"
}

fetch() {
  curl -fsS --connect-timeout 15 --max-time 1800 --retry 5 --retry-max-time 300 --retry-all-errors -o "$2" "$1" ||
    die "$1 could not be downloaded"
}

need_curl() {
  command -v curl >/dev/null && [ -s /etc/ssl/certs/ca-certificates.crt ] && return 0
  [ -z "$is_dry" ] || die 'to look into a release at an address, curl and ca-certificates have to be installed'
  say 'Installing packages: curl ca-certificates'
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  { apt-get -o DPkg::Lock::Timeout=300 update -qq && apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends curl ca-certificates; } >/dev/null || die 'apt-get could not install curl'
}

version_of() { sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p' "$1/release.json" | head -n 1; }

# A folder to install from: the one of this script, the one that is installed, or the one that was asked for.
find_release() {
  release=''
  case $0 in */install.sh) own=$(dirname "$(dirname "$(readlink -f "$0")")") ;; *) own='' ;; esac
  if [ -z "$given_release" ] && [ -n "$own" ] && [ -f "$own/release.json" ]; then
    release=$own
  elif [ -z "$given_release" ] && [ -f $base/current/release.json ]; then
    release=$(readlink -f $base/current)
  else
    download_release
  fi
  version=$(version_of "$release")
  case $version in '' | *[!A-Za-z0-9._-]*) die "$release is no release of Sallyport" ;; esac
  installed=''
  if [ -f $base/current/release.json ]; then installed=$(version_of $base/current); fi
  [ -z "$installed" ] || [ "$installed" = "$version" ] ||
    die "release $installed is installed: sallyport upgrade --release ${given_release:-FILE} brings release $version"
}

download_release() {
  [ -n "$given_release" ] || {
    [ -n "$RELEASES" ] || die 'there is no release here: give one with --release FILE_OR_URL'
    need_curl
    latest=$(curl -fsS --max-time 30 "$RELEASES/latest") || die "$RELEASES/latest does not answer"
    given_release=$RELEASES/sallyport-$latest-linux-$arch.tar.gz
  }
  # What a run that was killed has left.
  [ -n "$is_dry" ] || rm -rf /var/tmp/sallyport-??????
  scratch=$(mktemp -d /var/tmp/sallyport-XXXXXX)
  trap 'rm -rf "$scratch"' EXIT
  case $given_release in
    http://* | https://*)
      need_curl
      say "Downloading $given_release"
      fetch "$given_release" "$scratch/release.tar.gz"
      [ -n "$given_sum" ] || fetch "$given_release.sha256" "$scratch/sum"
      file=$scratch/release.tar.gz
      ;;
    *)
      [ -f "$given_release" ] || die "$given_release is not there"
      file=$given_release
      [ -n "$given_sum" ] || cat "$file.sha256" >"$scratch/sum" 2>/dev/null || die "$file.sha256 is not there; give --sha256"
      ;;
  esac
  sum=${given_sum:-$(cut -d' ' -f1 <"$scratch/sum")}
  [ "$(sha256sum <"$file" | cut -d' ' -f1)" = "$sum" ] || die "the release came damaged: its checksum is not $sum"
  tar -C "$scratch" --no-same-owner -xzf "$file" || die 'the release came damaged: it cannot be unpacked'
  release=$(find "$scratch" -mindepth 1 -maxdepth 1 -type d -name 'sallyport-*')
  [ -f "$release/release.json" ] || die "$given_release is no release of Sallyport"
}

take_lock() {
  exec 9>$lock
  flock -n 9 || die 'another installation is under way'
}

# The rest comes with the release, so that it fits it.
load_parts() {
  for part in settings packages database web service remove; do
    . "$1/deploy/install/$part.sh"
  done
}

main() {
  read_arguments "$@"
  if [ $wish = help ]; then
    usage
    return 0
  fi
  check_rights
  umask 022
  if [ $wish = uninstall ]; then
    [ -z "$is_dry" ] || die '--dry-run tells about installing only'
    take_lock
    find_parts
    uninstall_service
    return 0
  fi
  check_distribution
  check_machine
  [ -n "$is_dry" ] || take_lock
  find_release
  load_parts "$release"
  read_settings
  if [ -n "$is_dry" ]; then tell_plan; else install_service; fi
}

# Removing needs a release too: the one that is installed, or the one of this script.
find_parts() {
  case $0 in */install.sh) own=$(dirname "$(dirname "$(readlink -f "$0")")") ;; *) own='' ;; esac
  for folder in $base/current "$own"; do
    if [ -n "$folder" ] && [ -f "$folder/deploy/install/remove.sh" ]; then
      load_parts "$folder"
      return 0
    fi
  done
  check_machine
  find_release
  load_parts "$release"
}

# Nothing has happened so far, so that a download that breaks off does nothing; and nobody below reads the rest of it.
main "$@" </dev/null
