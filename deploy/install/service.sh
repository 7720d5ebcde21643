# The release, its units, and the way from nothing to a service that answers.

make_user() {
  getent passwd sallyport >/dev/null && return 0
  useradd --system --user-group --home-dir $state --no-create-home --shell /usr/sbin/nologin sallyport
  changed=yes
}

# Everything of a release is in one folder, which appears when it is whole.
stage_release() {
  mkdir -p $base/releases
  if [ ! -f "$base/releases/$version/release.json" ]; then
    rm -rf $base/releases/.new-*
    folder=$(mktemp -d $base/releases/.new-XXXXXX)
    cp -a "$release/." "$folder/"
    chown -R root:root "$folder"
    chmod -R go-w,a+rX "$folder"
    "$folder/bin/sallyport" --help >/dev/null 2>&1 || die 'the release does not run here'
    rm -rf "$base/releases/$version"
    mv "$folder" "$base/releases/$version"
    changed=yes
  fi
  release=$base/releases/$version
  [ "$(readlink $base/current)" = "releases/$version" ] || {
    ln -sfn "releases/$version" $base/.current
    mv -T $base/.current $base/current
    changed=yes
  }
  # What each port starts; upgrades say so from then on.
  [ -e $base/ports/8081 ] || [ -e $base/ports/8082 ] || {
    mkdir -p $base/ports
    ln -sfn "../releases/$version" $base/ports/$port
    changed=yes
  }
}

write_units() {
  units_changed=''
  for file in "$release"/deploy/units/*; do
    if replace "$units/${file##*/}" 644 <"$file"; then units_changed=yes; fi
  done
  if replace /usr/local/bin/sallyport 755 <"$release/deploy/release/command"; then changed=yes; fi
  [ -z "$units_changed" ] || {
    systemctl daemon-reload
    changed=yes
  }
}

own_units() { systemctl list-units --all --plain --no-legend 'sallyport@*.service' | awk '{ print $1 }'; }

# After an upgrade the other port may be the one that serves.
own_unit() {
  for one in 8081 8082; do
    if systemctl is-enabled -q sallyport@$one.service 2>/dev/null; then
      echo sallyport@$one.service
      return 0
    fi
  done
  echo $unit
}

is_served() {
  for one in $(own_units); do
    systemctl is-active -q "$one" && return 0
  done
  return 1
}

last_words() { journalctl -q -t sallyport -n 8 --no-pager -o cat 2>/dev/null | sed 's/^/  /' >&2; }

start_service() {
  if is_served; then return 0; fi
  unit=$(own_unit)
  say "Starting release $version"
  changed=yes
  systemctl enable -q $unit
  systemctl reset-failed $unit 2>/dev/null || true
  systemctl start $unit || {
    last_words
    die "the service did not come up; its last words are above (journalctl -u $unit)"
  }
}

migrate_database() {
  words=$(/usr/local/bin/sallyport migrate 2>&1) || {
    printf '%s\n' "$words" | sed 's/^/  /' >&2
    die 'the database could not be brought up to date; the reason is above'
  }
  case $words in *Applied*) say 'The database is ready' && changed=yes ;; esac
}

has_command() { /usr/local/bin/sallyport "$1" --help >/dev/null 2>&1; }

# PostgreSQL hands its log on from the beginning. One that is elsewhere is backed up where it is.
prepare_backups() {
  [ -n "$has_database" ] || return 0
  if [ -f "$cluster/conf.d/sallyport-backup.conf" ] && [ $settings/pgbackrest.conf -nt $settings/sallyport.env ]; then return 0; fi
  lines=$(mktemp /var/tmp/sallyport-XXXXXX)
  words=$(/usr/local/bin/sallyport backup configure --postgresql-conf "$lines" 2>&1) || {
    rm -f "$lines"
    printf '%s\n' "$words" | sed 's/^/  /' >&2
    warn 'backups could not be prepared; the reason is above'
    return 0
  }
  if replace "$cluster/conf.d/sallyport-backup.conf" 644 <"$lines"; then
    say "Restarting PostgreSQL, which hands its log on to $repository"
    systemctl restart "$cluster_unit"
    changed=yes
  fi
  rm -f "$lines"
}

enable_backups() {
  [ -n "$has_database" ] || {
    warn 'there are no backups yet: the database is backed up where it runs (docs/operations.md, Back up)'
    return 0
  }
  systemctl is-enabled -q sallyport-backup.timer 2>/dev/null || changed=yes
  systemctl enable -q --now sallyport-backup.timer
  [ ! -e $state/backup-status.json ] || return 0
  say 'Making the first backup'
  changed=yes
  systemctl start sallyport-backup.service || {
    journalctl -q -u sallyport-backup -n 4 --no-pager -o cat 2>/dev/null | sed 's/^/  /' >&2
    warn 'the first backup failed; the reason is above'
  }
}

# Last, for its link is shown once: whoever was cut off before gets it from the next run.
make_owner() {
  set -- --yes --name "$owner"
  [ -z "$email" ] || set -- "$@" --email "$email"
  [ -z "$location" ] || set -- "$@" --location "$location"
  [ -z "$price" ] || set -- "$@" --price "$price"
  if words=$(/usr/local/bin/sallyport setup "$@" 2>&1); then
    changed=yes
    greeting=$(printf '%s\n' "$words" | sed '/^What comes next:/,$d' | grep -v '^{')
  else
    case $words in
      *'already'* | *'is set up'* | *'has operators'*) greeting='' ;;
      *)
        printf '%s\n' "$words" | sed 's/^/  /' >&2
        die 'the first operator could not be made; the reason is above'
        ;;
    esac
  fi
}

tell_end() {
  say ''
  say "Sallyport $version serves $public"
  say ''
  [ -z "$greeting" ] || say "$greeting"
  say "Settings      $settings/sallyport.env, then systemctl restart 'sallyport@*'"
  say "Log           journalctl -u 'sallyport@*'"
  case $mode in
    tls) say 'Ports         80 and 443 (TCP) must be open to the world; all others may be closed' ;;
    behind) say "Ports         80 (TCP) must be open to the proxy at $proxy; all others may be closed, and this one to everybody else" ;;
    *) say 'Ports         80 (TCP) must be open to those who shall come; all others may be closed' ;;
  esac
  [ -z "$has_database" ] || say "Backups       each night to $repository; have another machine fetch them, or set BACKUP_REPOSITORY elsewhere"
  if [ -n "$has_database" ]; then
    say "Keep safe     $settings/backup.key and $settings/secret.key: copy both to another place now."
    say "              Without backup.key no backup can be read, without secret.key no customer's tunnel works."
  else
    say 'Backups       none from here: PostgreSQL is backed up where it runs (docs/operations.md, Back up)'
    say "Keep safe     $settings/secret.key: copy it to another place now. Without it no customer's tunnel works."
  fi
  say 'Next          sallyport login --url '"$public"', then sallyport node create --help'
}

install_service() {
  changed='' greeting=''
  check_elsewhere
  check_ports
  check_domain
  install_packages
  make_user
  prepare_database
  prepare_redis
  stage_release
  keep_answers
  write_service_settings
  write_units
  prepare_backups
  migrate_database
  start_service
  open_firewall
  prepare_web
  enable_backups
  make_owner
  if [ -z "$changed" ]; then
    say "Nothing has changed: release $version serves $public."
    return 0
  fi
  tell_end
  if has_command doctor; then /usr/local/bin/sallyport doctor || true; fi
}

tell_plan() {
  packages=$(missing_packages | tr '\n' ' ')
  check_elsewhere
  check_ports
  check_domain
  say "Packages to install: ${packages:-none}"
  say "Release: $version in $base/releases/$version. Running now: ${installed:-nothing}"
  say "Folders: $base, $settings, $state, /var/cache/sallyport, /etc/nginx/sallyport, $webroot"
  if [ -n "$database" ]; then
    say 'Database: elsewhere, and backed up there'
  else
    say "Database: sallyport on this machine, over its socket; backups each night to $repository"
  fi
  [ -z "$redis" ] || say 'Redis: elsewhere'
  say "Units: $unit, nginx$([ -n "$redis" ] || printf ', redis-server')$([ -n "$database" ] || printf ', postgresql, sallyport-backup.timer')"
  case $mode in
    tls) say "Address: $public, certificate by HTTP-01${acme:+ from $acme}" ;;
    behind) say "Address: $public, TLS by the proxy at $proxy" ;;
    *) say "Address: $public, without TLS" ;;
  esac
  case $mode in
    tls) say 'Ports: 80 and 443 (TCP) open to the world' ;;
    *) say 'Ports: 80 (TCP)' ;;
  esac
  say 'Nothing was done.'
}
