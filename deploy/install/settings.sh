# What was asked for, now or by the run before.

memory_of() { awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo; }

# replace FILE MODE [OWNER]: with what comes on standard input, and says whether that was news.
replace() {
  content=$(cat)
  [ -f "$1" ] && [ "$(cat "$1")" = "$content" ] && return 1
  (umask 077 && printf '%s\n' "$content" >"$1.new")
  chmod "$2" "$1.new"
  chown "${3:-root:root}" "$1.new"
  mv "$1.new" "$1"
}

# The first answer to each question is kept, so that another run needs none.
read_settings() {
  domain='' email='' mode='' proxy='' acme='' database='' redis='' has_database='' has_redis='' had_nginx=''
  [ ! -f $settings/install.conf ] || . $settings/install.conf
  domain=$(printf %s "${given_domain:-$domain}" | tr 'A-Z' 'a-z')
  email=${given_email:-$email}
  mode=${given_mode:-${mode:-tls}}
  proxy=${given_proxy:-$proxy}
  acme=${given_acme:-$acme}
  database=${given_database:-$database}
  redis=${given_redis:-$redis}
  [ -n "$domain" ] || die 'give the name that customers come to: --domain vpn.example.com'
  if [ -f $settings/sallyport.env ] && [ -n "$given_domain" ] && ! grep -q "^PUBLIC_URL=.*//$domain\"*\$" $settings/sallyport.env; then
    die "the service is set up under another name: change PUBLIC_URL in $settings/sallyport.env first (passkeys belong to the name)"
  fi
  case $mode in plain) public=http://$domain ;; *) public=https://$domain ;; esac
  check_kept
}

# is_kept NAME VALUE: whether the settings that are the operator's by now say the same.
is_kept() { grep -qxF -e "$1=\"$2\"" -e "$1='$2'" -e "$1=$2" $settings/sallyport.env; }

# What is asked for, and that the settings would silently not follow.
check_kept() {
  [ -s $settings/sallyport.env ] || return 0
  [ -z "$given_mode" ] || is_kept PUBLIC_URL "$public" ||
    die "the service is set up with another address: change PUBLIC_URL in $settings/sallyport.env to $public first"
  [ -z "$given_database" ] || is_kept DATABASE_URL "$given_database" ||
    die "the service is set up with another database: move the data and change DATABASE_URL in $settings/sallyport.env first"
  [ -z "$given_redis" ] || is_kept REDIS_URL "$given_redis" ||
    die "the service is set up with another Redis: change REDIS_URL in $settings/sallyport.env first"
}

# By the service's own eyes, before anything is done: what cannot be read, does not answer, or belongs to another key.
check_elsewhere() {
  [ -n "$given_database$given_redis$given_proxy" ] || return 0
  watched=$(mktemp -d /var/tmp/sallyport-XXXXXX)
  key=$settings/secret.key
  [ -s $key ] || {
    key=$watched/secret.key
    head -c 32 /dev/urandom | base64 >"$key"
  }
  # Where PostgreSQL will be on this machine there is none yet to ask.
  only=${given_database:+database,secret-key}${given_redis:+,redis}
  only=${only#,}
  words=$(env -i PATH="$PATH" HOME="$watched" XDG_CACHE_HOME="$watched" DATA_DIR="$watched" SECRET_KEY_FILE="$key" PUBLIC_URL="$public" \
    TRUSTED_PROXIES="127.0.0.1${given_proxy:+,$given_proxy}" DATABASE_URL="${database:-$own_database}" REDIS_URL="$redis" \
    "$release/bin/sallyport" doctor --only "${only:-open-files}" 2>&1) && is_well=yes || is_well=''
  rm -rf "$watched"
  [ -z "$is_well" ] || return 0
  { printf '%s\n' "$words" | grep -A 1 --no-group-separator '^problem' || printf '%s\n' "$words"; } | sed 's/^/  /' >&2
  die 'with these options it would not work; the reason is above. Nothing was done'
}

quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }

keep_answers() {
  mkdir -p $settings
  chmod 755 $settings
  if replace $settings/install.conf 600; then changed=yes; fi <<END
# What the installer was told. It reads this when it runs again.
domain=$(quoted "$domain")
email=$(quoted "$email")
mode=$(quoted "$mode")
proxy=$(quoted "$proxy")
acme=$(quoted "$acme")
database=$(quoted "$database")
redis=$(quoted "$redis")
has_database=$(quoted "$has_database")
has_redis=$(quoted "$has_redis")
had_nginx=$(quoted "$had_nginx")
END
}

# Made once: whoever loses the first loses all, so that nothing here ever writes it again. One that came back from a backup
# is for root alone.
make_key() {
  if [ -s "$1" ]; then
    chown "$3" "$1"
    chmod "$2" "$1"
    return 0
  fi
  (umask 077 && head -c 32 /dev/urandom | base64 >"$1.new")
  chown "$3" "$1.new"
  chmod "$2" "$1.new"
  mv "$1.new" "$1"
  changed=yes
}

# The operator's from then on.
write_service_settings() {
  make_key $settings/secret.key 640 root:sallyport
  # One that is elsewhere is backed up there, with a key of its own.
  [ -z "$has_database" ] || make_key $settings/backup.key 600 root:root
  if [ -s $settings/sallyport.env ]; then return 0; fi
  replace $settings/sallyport.env 640 root:sallyport <<END
# Settings of Sallyport: docs/operations.md of the release names them all. After a change: systemctl restart 'sallyport@*'
PUBLIC_URL="$public"
DATABASE_URL="${database:-$own_database}"
REDIS_URL="${redis:-redis://127.0.0.1:6379/0}"
SECRET_KEY_FILE="$settings/secret.key"
TRUSTED_PROXIES="127.0.0.1"
${has_database:+BACKUP_REPOSITORY="$repository"}
END
  changed=yes
}
