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
  make_key $settings/backup.key 600 root:root
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
