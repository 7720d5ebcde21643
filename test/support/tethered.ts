import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type Tethered = { pid: number; stop: () => Promise<void> }
export type TetherOptions = { folder: string; signal: 'QUIT' | 'TERM'; uid?: number; gid?: number }

/**
 * The shell holds our end of a pipe: when this process ends in whatever way, even by SIGKILL, the read
 * ends too, so the server is stopped and its folder removed. No test run leaves a server behind.
 */
const keeper = `
  folder=$1 signal=$2; shift 2
  "$@" >"$folder/log" 2>&1 &
  server=$!
  echo "$server"
  cat >/dev/null
  kill -"$signal" "$server" 2>/dev/null
  wait "$server"
  rm -rf "$folder"
`

export async function startTethered(command: string[], options: TetherOptions): Promise<Tethered> {
  const { folder, signal, uid, gid } = options
  const child = spawn('/bin/sh', ['-c', keeper, 'keeper', folder, signal, ...command], {
    stdio: ['pipe', 'pipe', 'ignore'],
    cwd: folder,
    detached: true,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const pid = Number(await firstLine(child))
  child.unref()
  return {
    pid,
    stop: async () => {
      // This process stays until the server is gone.
      child.ref()
      child.stdin?.end()
      await ended
    },
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the keeper has no output')
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error('the keeper ended before it named its server')
}
