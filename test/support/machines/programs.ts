/** Shell, because it has to go on when the process that began it is gone. */

/** The hierarchies of control groups in which a container's systemd wants a place of its own. */
const hierarchies = `
  hierarchies() {
    for folder in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
      [ ! -e "$folder/cgroup.procs" ] || echo "$folder"
    done
  }
`

/** Puts the disk of a machine together, and takes all of it away when nobody holds its standard input any more. */
export const keep = `${hierarchies}
  tag=$1 directory=$2 tree=$3
  mount -t overlay "$tag" -o "lowerdir=$tree,upperdir=$directory/upper,workdir=$directory/work" "$directory/root" || exit 1
  echo ready
  cat >/dev/null
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    pids=$(for folder in $(hierarchies); do find "$folder/$tag" -name cgroup.procs -exec cat {} + 2>/dev/null; done)
    [ -n "$pids" ] || break
    kill -9 $pids 2>/dev/null
    sleep 0.2
  done
  for folder in $(hierarchies); do find "$folder/$tag" -depth -type d -exec rmdir {} + 2>/dev/null; done
  umount "$directory/root" || umount -l "$directory/root"
  rm -rf "$directory"
`

/** Becomes the container: with a real machine's rights over its own network, and in control groups of its own. */
export const boot = `${hierarchies}
  tag=$1 root=$2 namespace=$3 name=$4
  for folder in $(hierarchies); do
    mkdir -p "$folder/$tag" && echo $$ >"$folder/$tag/cgroup.procs"
  done
  export SYSTEMD_NSPAWN_API_VFS_WRITABLE=network
  exec systemd-nspawn -q -b -D "$root" -M "$name" --register=no --keep-unit --console=pipe \\
    --network-namespace-path="/run/netns/$namespace" --bind=/dev/net/tun --capability=CAP_NET_ADMIN \\
    --resolv-conf=off --timezone=off --link-journal=no
`
