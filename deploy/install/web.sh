# nginx in front of the service, and its certificate.

site=/etc/nginx/sites-available/sallyport
webroot=/var/www/sallyport
certificate=/etc/letsencrypt/live/sallyport/fullchain.pem

# Lines of the template end with what they are for.
site_for() {
  case $1 in
    tls) drop='@PLAIN@' ;;
    # Until there is a certificate nobody is sent on to where there is nothing.
    *) drop='@REDIRECT@\|@TLS@' ;;
  esac
  sed -e "/# \\($drop\\)/d" -e 's/ # @[A-Z]*@$//' -e '/^# @[A-Z]*@$/d' -e "s/@DOMAIN@/$domain/" "$release/deploy/nginx/sallyport.conf" |
    if [ -e /proc/net/if_inet6 ]; then cat; else sed '/listen \[::\]/d'; fi
}

write_proxies() {
  [ "$mode" = behind ] || {
    [ -e /etc/nginx/sallyport/proxies.conf ] && rm /etc/nginx/sallyport/proxies.conf
    return
  }
  {
    say '# Whose word about the address of the caller is believed.'
    for network in $(printf %s "$proxy" | tr ',' ' '); do say "set_real_ip_from $network;"; done
    say 'real_ip_header X-Forwarded-For;'
    say 'real_ip_recursive on;'
  } | replace /etc/nginx/sallyport/proxies.conf 644
}

# Debian's 768 connections are used up by agents that wait.
raise_nginx() {
  ! grep -q 'worker_connections 768;' /etc/nginx/nginx.conf || {
    sed -i 's/worker_connections 768;/worker_connections 8192;/' /etc/nginx/nginx.conf
    web_changed=yes
  }
  mkdir -p $units/nginx.service.d
  if printf '[Service]\nLimitNOFILE=65536\n' | replace $units/nginx.service.d/sallyport.conf 644; then
    systemctl daemon-reload
    web_restart=yes
  fi
}

reload_nginx() {
  nginx -t -q 2>/dev/null || {
    nginx -t >&2 || true
    die 'nginx does not take its settings; its words are above'
  }
  systemctl enable -q nginx
  if [ -n "$web_restart" ] || ! systemctl is-active -q nginx; then systemctl restart nginx; else systemctl reload nginx; fi
  web_changed='' web_restart='' changed=yes
}

# use_site tls|plain
use_site() {
  if site_for "$1" | replace $site 644; then web_changed=yes; fi
  [ "$(readlink /etc/nginx/sites-enabled/sallyport)" = $site ] || {
    ln -sfn $site /etc/nginx/sites-enabled/sallyport
    web_changed=yes
  }
  [ -z "$web_changed$web_restart" ] || reload_nginx
}

get_certificate() {
  [ ! -s $certificate ] || return 0
  say "Getting a certificate for $domain"
  set -- --non-interactive --agree-tos --cert-name sallyport -d "$domain" --webroot -w $webroot --deploy-hook 'systemctl reload nginx'
  if [ -n "$email" ]; then set -- "$@" --email "$email"; else set -- "$@" --register-unsafely-without-email; fi
  if [ -n "$acme" ]; then set -- "$@" --server "$acme"; fi
  words=$(certbot certonly -q "$@" 2>&1) || {
    printf '%s\n' "$words" | sed 's/^/  /' >&2
    die "there is no certificate for $domain yet; the reason is above. Does the name lead here, and is port 80 open from outside? Then run this again: it goes on from here"
  }
  changed=yes
}

write_parts() {
  web_changed='' web_restart=''
  mkdir -p $webroot /etc/nginx/sallyport
  # What a balancer with the certificate passes on was asked by HTTPS, whatever it came by.
  case $mode in behind) scheme=https ;; *) scheme='$scheme' ;; esac
  if sed "s/@SCHEME@/$scheme/" "$release/deploy/nginx/service.part" | replace /etc/nginx/sallyport/service.part 644; then web_changed=yes; fi
  if write_proxies; then web_changed=yes; fi
}

# For another release: the site as that one has it, with the certificate that is there.
refresh_web() {
  [ -f $site ] || return 0
  write_parts
  if [ "$mode" = tls ] && [ -s $certificate ]; then use_site tls; else use_site plain; fi
}

prepare_web() {
  write_parts
  raise_nginx
  # The page that greets those who have just installed nginx.
  [ -n "$had_nginx" ] || [ ! -e /etc/nginx/sites-enabled/default ] || {
    rm -f /etc/nginx/sites-enabled/default
    web_changed=yes
  }
  if [ "$mode" != tls ]; then
    use_site plain
    return 0
  fi
  [ -s $certificate ] || use_site plain
  get_certificate
  use_site tls
  systemctl enable -q --now certbot.timer
}
