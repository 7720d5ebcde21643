# Takes it away again.

ask_before_purge() {
  [ -z "$is_yes" ] || return 0
  expected=${domain:-purge}
  what='the database with all customers and money, keys and certificates'
  [ -n "$has_database" ] || what='keys, settings and certificates; without the secret key the database, which is elsewhere, is of no use'
  printf 'This deletes %s. Type %s to go on: ' "$what" "$expected" >/dev/tty 2>/dev/null ||
    die 'there is nobody to ask: --yes purges without asking'
  read -r typed </dev/tty || typed=''
  [ "$typed" = "$expected" ] || die 'nothing was removed'
}

remove_web() {
  rm -f /etc/nginx/sites-enabled/sallyport $site $units/nginx.service.d/sallyport.conf
  rmdir $units/nginx.service.d 2>/dev/null || true
  rm -rf /etc/nginx/sallyport $webroot
  [ -d /etc/nginx ] || return 0
  [ -n "$had_nginx" ] || {
    sed -i 's/worker_connections 8192;/worker_connections 768;/' /etc/nginx/nginx.conf
    [ ! -f /etc/nginx/sites-available/default ] || ln -sfn /etc/nginx/sites-available/default /etc/nginx/sites-enabled/default
  }
  rm -f /var/log/nginx/sallyport.log*
  systemctl daemon-reload
  if systemctl is-active -q nginx && nginx -t -q 2>/dev/null; then systemctl restart nginx; fi
}

remove_tuning() {
  [ -n "$has_database" ] && command -v pg_lsclusters >/dev/null && [ -n "$(pg_lsclusters -h)" ] || return 0
  find_cluster
  [ -f "$cluster/conf.d/sallyport.conf" ] || return 0
  # An archive that nobody takes would fill the disk with the log.
  rm -f "$cluster/conf.d/sallyport.conf" "$cluster/conf.d/sallyport-backup.conf"
  for file in pg_hba.conf pg_ident.conf; do
    sed -i '/^# sallyport begin/,/^# sallyport end/d' "$cluster/$file"
    chown postgres:postgres "$cluster/$file"
  done
  systemctl restart "$cluster_unit" 2>/dev/null || true
}

remove_data() {
  if [ -z "$has_database" ]; then
    say 'The database is elsewhere, and stays as it is.'
  elif command -v pg_lsclusters >/dev/null && [ -n "$(pg_lsclusters -h)" ]; then
    find_cluster
    as_postgres -d postgres -c 'drop database if exists sallyport with (force)' -c 'drop role if exists sallyport'
    say 'Dropped the database sallyport.'
  fi
  had_certificate=''
  if [ -d /etc/letsencrypt/live/sallyport ]; then
    had_certificate=yes
    certbot delete -q --non-interactive --cert-name sallyport || true
  fi
  rm -rf $settings $state
  # Of use to whoever has copied backup.key, and in the way of another beginning.
  if [ -d $repository ]; then
    mv $repository "$repository-$(date -u +%Y%m%d%H%M%S)"
    say "Backups stay in $repository-*, and open with the copy of backup.key alone."
  fi
  userdel sallyport 2>/dev/null || true
  say "Removed $settings, $state${had_certificate:+, certificates} and the user sallyport."
}

uninstall_service() {
  domain='' has_database='' has_redis='' mode='' had_nginx=''
  [ ! -f $settings/install.conf ] || . $settings/install.conf
  if [ ! -e $base ] && [ ! -e $settings ] && [ ! -e "$units/sallyport@.service" ]; then
    say 'There is no Sallyport here.'
    return 0
  fi
  [ -z "$is_purge" ] || ask_before_purge
  for one in sallyport-backup.timer sallyport-backup.service $(own_units); do
    systemctl disable -q --now "$one" 2>/dev/null || true
    systemctl reset-failed "$one" 2>/dev/null || true
  done
  rm -f $units/sallyport@.service $units/sallyport-backup.service $units/sallyport-backup.timer
  rm -f /var/lib/systemd/timers/stamp-sallyport-backup.timer
  rm -rf $units/sallyport@*.service.d
  remove_web
  remove_tuning
  rm -rf $base /usr/local/bin/sallyport /var/cache/sallyport /root/.cache/sallyport
  rm -rf $lock /run/sallyport /var/tmp/sallyport-??????
  systemctl daemon-reload
  say "Removed the units, the site of nginx, $base and /usr/local/bin/sallyport."
  if [ -n "$is_purge" ]; then
    remove_data
  else
    say "The database, $settings, $state and certificates are kept: installing again goes on with them (--purge removes them)."
  fi
  say "Packages stay: ${has_database:+PostgreSQL, }${has_redis:+Redis, }nginx$([ "$mode" != tls ] || printf ', certbot')."
}
