import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

/** What takes a lab away, used by its keeper and for labs whose keeper was killed. */
export const removal = `
  lab=$1 directory=$2
  for name in $(ip netns list | cut -d' ' -f1 | grep "^$lab-"); do
    for attempt in 1 2 3 4 5; do
      pids=$(ip netns pids "$name")
      [ -n "$pids" ] || break
      kill -9 $pids 2>/dev/null
      sleep 0.1
    done
    ip netns delete "$name"
    rm -rf "/etc/netns/$name"
  done
  rmdir /etc/netns 2>/dev/null
  rm -f /var/run/amneziawg/spe"\${lab##*-}"*
  [ -z "$directory" ] || rm -rf "$directory"
`

/** Names of labs in the output of `ip netns list`, with the process that owned each. */
export const labsIn = (listing: string): Map<string, number> => {
  const labs = new Map<string, number>()
  for (const line of listing.split('\n')) {
    const match = /^(spe-(\d+)-[0-9a-f]{6})-/.exec(line)
    if (match?.[1]) labs.set(match[1], Number(match[2]))
  }
  return labs
}

/** Labs whose owner is gone. */
export const staleRuns = async (): Promise<string[]> => {
  const { stdout } = await promisify(execFile)('ip', ['netns', 'list'])
  return [...labsIn(stdout)].filter(([, pid]) => !existsSync(`/proc/${pid}`)).map(([lab]) => lab)
}
