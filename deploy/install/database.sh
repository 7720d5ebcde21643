# PostgreSQL and Redis of this machine.

repository=/var/backups/sallyport
own_database='postgres:///sallyport?host=/run/postgresql&user=sallyport'

# The newest cluster: version, name, port.
find_cluster() {
  set -- $(pg_lsclusters -h | sort -V | tail -n 1)
  [ $# -gt 2 ] || die 'PostgreSQL has no cluster: pg_createcluster makes one'
  cluster_version=$1 cluster_name=$2 cluster_port=$3
  cluster=/etc/postgresql/$1/$2
  cluster_unit=postgresql@$1-$2.service
  [ "$3" = 5432 ] || own_database="$own_database&port=$3"
}

as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups -- env -C / HOME=/var/lib/postgresql psql -p "$cluster_port" -XAtq -v ON_ERROR_STOP=1 "$@"; }

# A quarter of the memory for what it keeps, and as many connections as two instances with room for people.
tune_database() {
  memory=$(memory_of)
  shared=$((memory / 4))
  [ $shared -lt 16384 ] || shared=16384
  # Of pages that are written whole after a checkpoint: lz4 is the quicker one, and known from 15 on.
  compression=lz4
  [ "$cluster_version" -ge 15 ] || compression=on
  if replace "$cluster/conf.d/sallyport.conf" 644; then needs_restart=yes; fi <<END
# Written by the installer of Sallyport for $((memory / 1024 + 1)) GB of memory; values of your own go into a file behind this one (zz.conf).
shared_buffers = ${shared}MB
effective_cache_size = $((memory / 2))MB
maintenance_work_mem = $((memory / 32 + 16))MB
work_mem = 8MB
max_connections = 200
max_wal_size = 2GB
checkpoint_completion_target = 0.9
random_page_cost = 1.1
wal_compression = $compression
idle_in_transaction_session_timeout = 10min
END
}

# The service and root come in by who they are, over the socket: there is no password to lose.
let_service_in() {
  grep -q '^# sallyport begin' "$cluster/pg_ident.conf" || {
    printf '%s\n' '# sallyport begin' 'sallyport sallyport sallyport' 'sallyport root sallyport' '# sallyport end' >>"$cluster/pg_ident.conf"
    needs_reload=yes
  }
  grep -q '^# sallyport begin' "$cluster/pg_hba.conf" || {
    { printf '%s\n' '# sallyport begin' 'local sallyport sallyport peer map=sallyport' '# sallyport end' && cat "$cluster/pg_hba.conf"; } >"$cluster/pg_hba.conf.new"
    chown postgres:postgres "$cluster/pg_hba.conf.new"
    chmod 640 "$cluster/pg_hba.conf.new"
    mv "$cluster/pg_hba.conf.new" "$cluster/pg_hba.conf"
    needs_reload=yes
  }
}

# While the cluster is empty that takes a second, and a disk that forgets is noticed ever after.
check_pages() {
  [ "$(as_postgres -d postgres -c 'show data_checksums')" = off ] || return 0
  [ -z "$(as_postgres -d postgres -c "select 1 from pg_database where datname not in ('postgres', 'template0', 'template1') limit 1")" ] || return 0
  folder=$(as_postgres -d postgres -c 'show data_directory')
  systemctl stop "$cluster_unit"
  setpriv --reuid=postgres --regid=postgres --init-groups -- "/usr/lib/postgresql/$cluster_version/bin/pg_checksums" -D "$folder" --enable >/dev/null 2>&1 ||
    warn 'PostgreSQL could not be told to check its pages'
  systemctl start "$cluster_unit"
}

prepare_database() {
  [ -n "$has_database" ] || return 0
  needs_restart='' needs_reload=''
  find_cluster
  mkdir -p "$cluster/conf.d"
  tune_database
  let_service_in
  if [ -n "$needs_restart" ]; then
    say "Restarting PostgreSQL with $cluster/conf.d/sallyport.conf"
    systemctl restart "$cluster_unit"
  elif [ -n "$needs_reload" ]; then
    systemctl reload "$cluster_unit"
  fi
  systemctl enable -q postgresql
  systemctl is-active -q "$cluster_unit" || systemctl start "$cluster_unit"
  check_pages
  [ -n "$(as_postgres -d postgres -c "select 1 from pg_roles where rolname = 'sallyport'")" ] || {
    as_postgres -d postgres -c 'create role sallyport login'
    changed=yes
  }
  [ -n "$(as_postgres -d postgres -c "select 1 from pg_database where datname = 'sallyport'")" ] || {
    say 'Making the database sallyport'
    as_postgres -d postgres -c "create database sallyport owner sallyport encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8' template template0"
    changed=yes
  }
  [ -z "$needs_restart$needs_reload" ] || changed=yes
}

prepare_redis() {
  [ -n "$has_redis" ] || return 0
  systemctl enable -q redis-server
  systemctl is-active -q redis-server || systemctl start redis-server
}
