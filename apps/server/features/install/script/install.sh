install_packages() {
  packages=$(missing_packages | tr '\n' ' ')
  [ -n "${packages% }" ] || return 0
  say "Installing packages: ${packages% }"
  command -v apt-get >/dev/null || die "install these packages first: ${packages% }"
  export DEBIAN_FRONTEND=noninteractive
  attempt=1
  until apt-get -o DPkg::Lock::Timeout=300 update -qq >/dev/null &&
    apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends $packages >/dev/null; do
    [ $attempt -lt 3 ] || die "apt-get could not install: ${packages% }"
    attempt=$((attempt + 1))
    sleep 10
  done
}

has_sum() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d' ' -f1)" = "$2" ]; }

fetch() {
  curl -fsS --connect-timeout 15 --max-time 1800 --retry 5 --retry-max-time 300 --retry-all-errors -o "$2" "$1" ||
    die "$1 could not be downloaded"
}

# get_file FOLDER SUM MODE PATH: from the release that runs when it has the same, else from the service.
get_file() {
  target=$1/$4
  mkdir -p "$(dirname "$target")"
  if has_sum "$base/current/$4" "$2"; then
    ln "$(readlink -f $base/current)/$4" "$target" 2>/dev/null || cp "$base/current/$4" "$target"
  else
    say "Downloading $4"
    fetch "$SERVICE_URL/install/files/$2/${4##*/}.gz" "$target.gz"
    gzip -dc "$target.gz" >"$target" || die "$4 came damaged: it cannot be unpacked"
    rm -f "$target.gz"
    has_sum "$target" "$2" || die "$4 came damaged: its checksum is not $2"
  fi
  chmod "$3" "$target"
}

is_whole() {
  [ -d "$base/$RELEASE" ] || return 1
  while read -r sum mode path; do
    [ -z "$sum" ] || has_sum "$base/$RELEASE/$path" "$sum" || return 1
  done <<END
$FILES
END
}

# Everything of a release is in one folder, which appears when it is whole.
stage_release() {
  if is_whole; then return 0; fi
  mkdir -p $base
  rm -rf $base/.new-*
  folder=$(mktemp -d $base/.new-XXXXXX)
  trap 'rm -rf "$folder"' EXIT
  while read -r sum mode path; do
    [ -z "$sum" ] || get_file "$folder" "$sum" "$mode" "$path"
  done <<END
$FILES
END
  while read -r path version; do
    [ -z "$path" ] || printf '%s\n' "$version" >"$folder/$path.version"
  done <<END
$ENGINES
END
  mkdir "$folder/units"
  write_units "$folder/units"
  write_upgrade "$folder"
  chmod -R go+rX "$folder"
  "$folder/node" --version >/dev/null 2>&1 || die 'the Node runtime of the service does not run here'
  rm -rf "${base:?}/$RELEASE"
  mv "$folder" "$base/$RELEASE"
  trap - EXIT
}

# One of before, as it was left here.
take_kept() {
  [ -f "$base/$wanted/agent.mjs" ] ||
    die "release $wanted is not on this machine, and the service hands out $RELEASE"
  RELEASE=$wanted
}

# replace FILE MODE: with what comes on standard input, and says whether that was news.
replace() {
  content=$(cat)
  [ -f "$1" ] && [ "$(cat "$1")" = "$content" ] && return 1
  (umask 077 && printf '%s\n' "$content" >"$1.new")
  chmod "$2" "$1.new"
  mv "$1.new" "$1"
}

write_settings() {
  mkdir -p $settings
  chmod 700 $settings
  if replace $settings/agent.env 600; then changed=yes; fi <<END
# Written by the installer. Settings of your own go into local.env beside this file.
SALLYPORT_URL=$SERVICE_URL
END
  [ -z "$token" ] || {
    mkdir -p $state
    chmod 700 $state
    (umask 077 && printf '%s\n' "$token" >$state/enrolment-token)
    # A machine that is known has no use for it unless the service was set up anew.
    [ -s $state/identity.json ] || changed=yes
  }
}

# use_release NAME: its units, and the link that they follow, each in one step.
use_release() {
  for file in "$base/$1"/units/*; do
    if replace "$units/${file##*/}" 644 <"$file"; then changed=yes; fi
  done
  if [ "$(readlink $base/current)" != "$1" ]; then
    ln -sfn "$1" "$base/.current"
    mv -T "$base/.current" $base/current
    changed=yes
  fi
}

restart_agent() {
  systemctl daemon-reload
  systemctl enable -q $agent $watchers
  systemctl restart $watchers
  systemctl reset-failed $agent 2>/dev/null || true
  systemctl restart $agent || true
}

# Its first report was taken: it runs, its engines were looked for, the service knows it.
is_ready() {
  pid=$(systemctl show -p MainPID --value $agent)
  [ "$pid" != 0 ] && [ "$(cat $ready 2>/dev/null)" = "$pid" ]
}

wait_until_ready() {
  waited=0
  until is_ready; do
    [ $waited -lt 60 ] || return 1
    if systemctl -q is-failed $agent; then return 1; fi
    [ "$(systemctl show -p NRestarts --value $agent)" -lt 3 ] || return 1
    sleep 1
    waited=$((waited + 1))
  done
}

last_words() {
  journalctl -q -t sallyport-agent -n 5 --no-pager -o cat 2>/dev/null | sed 's/^/  /' >&2
}

give_up() {
  last_words
  [ -z "$previous" ] || [ "$previous" = "$RELEASE" ] || go_back
  if systemctl -q is-failed $agent; then
    systemctl disable -q --now $agent $watchers
    rm -f $state/enrolment-token
    die 'the agent did not come up; its last words are above'
  fi
  die "the service has not heard of the agent yet; it goes on trying (journalctl -u $agent)"
}

go_back() {
  use_release "$previous"
  restart_agent
  wait_until_ready || die "release $RELEASE did not come up, and $previous does not come up again either"
  die "release $RELEASE did not come up; its last words are above. $previous serves again"
}

# The one that runs and the one before it stay.
forget_old() {
  for old in $base/*/; do
    old=$(basename "$old")
    case $old in
      current | "$RELEASE" | "$previous") ;;
      *) rm -rf "${base:?}/$old" ;;
    esac
  done
}

install_agent() {
  previous=$(readlink $base/current 2>/dev/null || true)
  changed=''
  install_packages
  check_service
  if is_going_back; then take_kept; else stage_release; fi
  write_settings
  use_release "$RELEASE"
  if [ -z "$changed" ] && is_ready; then
    rm -f $state/enrolment-token
    say "Nothing has changed: release $RELEASE runs."
    return 0
  fi
  say "Starting release $RELEASE${previous:+ (before: $previous)}"
  restart_agent
  wait_until_ready || give_up
  forget_old
  say "The agent runs, and $SERVICE_URL hears of it."
}
