# What comes from the distribution.

has_package() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

wanted_packages() {
  echo 'nginx curl ca-certificates iproute2 util-linux'
  [ -n "$database" ] && echo postgresql-client || echo postgresql pgbackrest
  [ -n "$redis" ] || echo redis-server
  [ "$mode" != tls ] || echo certbot
}

missing_packages() {
  for package in $(wanted_packages); do
    has_package "$package" || echo "$package"
  done
}

install_packages() {
  # Before anything is installed: what was here before is not taken away later.
  if [ ! -f $settings/install.conf ]; then
    if has_package nginx || has_package nginx-light || has_package nginx-full; then had_nginx=yes; fi
    [ -n "$database" ] || has_database=yes
    [ -n "$redis" ] || has_redis=yes
    keep_answers
  fi
  packages=$(missing_packages | tr '\n' ' ')
  [ -n "${packages% }" ] || return 0
  changed=yes
  say "Installing packages: ${packages% }"
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp /var/tmp/sallyport-XXXXXX)
  attempt=1
  until apt-get -o DPkg::Lock::Timeout=300 update -qq >"$log" 2>&1 &&
    apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 install -y -qq --no-install-recommends $packages >"$log" 2>&1; do
    [ $attempt -lt 3 ] || {
      tail -n 8 "$log" | sed 's/^/  /' >&2
      rm -f "$log"
      die "apt-get could not install: ${packages% }; its last words are above"
    }
    attempt=$((attempt + 1))
    # An installation that was cut off is finished first.
    dpkg --configure -a >/dev/null 2>&1 || true
    sleep 10
  done
  rm -f "$log"
}

open_ports() { [ "$mode" = tls ] && echo '80 443' || echo 80; }

check_ports() {
  command -v ss >/dev/null || return 0
  for number in $(open_ports); do
    holder=$(ss -Hltnp "sport = :$number" | sed -n 's/.*users:(("\([^"]*\)".*/\1/p' | head -n 1)
    case $holder in
      '' | nginx) ;;
      *) die "$holder listens at port $number, which nginx needs: stop it, or install elsewhere" ;;
    esac
  done
}

check_domain() {
  [ "$mode" = tls ] || return 0
  found=$(getent ahosts "$domain" 2>/dev/null | awk '{ print $1 }' | sort -u)
  [ -n "$found" ] || {
    warn "$domain does not resolve from here; without that there is no certificate"
    return 0
  }
  here=$(ip -o addr 2>/dev/null | awk '{ sub("/.*", "", $4); print $4 }')
  for one in $found; do
    printf '%s\n' "$here" | grep -qxF "$one" && return 0
  done
  warn "$domain leads to $(printf %s "$found" | tr '\n' ' '), which is no address of this machine: fine behind NAT, else correct it"
}

open_firewall() {
  # Whom a balancer shall keep away is let in by nobody here.
  [ "$mode" != behind ] || return 0
  for number in $(open_ports); do
    if command -v ufw >/dev/null && ufw status 2>/dev/null | grep -q '^Status: active'; then
      ufw status | grep -q "^$number/tcp *ALLOW" || { ufw allow "$number/tcp" >/dev/null && say "Opened port $number in ufw" && changed=yes; }
    elif command -v firewall-cmd >/dev/null && firewall-cmd -q --state 2>/dev/null; then
      firewall-cmd -q --query-port="$number/tcp" || {
        firewall-cmd -q --permanent --add-port="$number/tcp" && firewall-cmd -q --add-port="$number/tcp" && say "Opened port $number in firewalld" && changed=yes
      }
    fi
  done
}
