remove_tables() {
  command -v nft >/dev/null || return 0
  nft list tables 2>/dev/null | while read -r word family table; do
    case $table in sallyport_*) nft delete table "$family" "$table" && say "Removed the nftables table $table" ;; esac
  done
}

uninstall_agent() {
  if [ ! -e $base ] && [ ! -e $settings ] && [ ! -e $units/$agent ]; then
    say 'There is no agent here.'
  else
    systemctl disable -q --now $watchers $agent 2>/dev/null || true
    rm -f $units/$agent $units/sallyport-agent-reboot.* $units/sallyport-agent-upgrade.*
    systemctl daemon-reload
    systemctl reset-failed $agent 2>/dev/null || true
    rm -rf $base $settings /run/sallyport-agent $lock
    rmdir /run/amneziawg 2>/dev/null || true
    say "Removed the units, $base and $settings."
  fi
  remove_tables
  if [ -n "$is_purge" ]; then
    rm -rf $state
    say "Removed $state."
  elif [ -e $state ]; then
    rm -f $state/enrolment-token
    say "$state is kept: with it this machine is the same node again (--purge removes it)."
  fi
  say 'Packages stay, net.ipv4.ip_forward stays as it is until the next boot, and the service still lists the node.'
}

tell_plan() {
  packages=$(missing_packages | tr '\n' ' ')
  say "Packages to install: ${packages:-none}"
  if is_whole; then say "Release $RELEASE is here."; else
    while read -r sum mode path; do
      [ -z "$sum" ] || has_sum "$base/current/$path" "$sum" || say "To download: $path"
    done <<END
$FILES
END
  fi
  say "Folders: $base/$RELEASE, $settings, $state"
  say "Units: $agent, $watchers. Running now: $(readlink $base/current 2>/dev/null || echo nothing)"
  has_token || say 'To install, a token is needed: the one that POST /operator/v1/nodes answered.'
  say 'Nothing was done.'
}

take_lock() {
  exec 9>$lock
  flock -n 9 || die 'another installation is under way'
}

main() {
  read_arguments "$@"
  if [ $wish = help ]; then
    usage
    return 0
  fi
  check_rights
  if [ $wish = uninstall ]; then
    [ -z "$is_dry" ] || die '--dry-run tells about installing only'
    take_lock
    uninstall_agent
    return 0
  fi
  check_distribution
  check_machine
  [ -n "$is_dry" ] || check_token
  check_engines
  if [ -n "$is_dry" ]; then
    check_service
    tell_plan
    return 0
  fi
  take_lock
  install_agent
}

# Nothing has happened so far, so that a download that breaks off does nothing; and nobody below reads the rest of it.
main "$@" </dev/null
