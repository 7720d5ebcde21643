import { spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { runNft } from '../process/feed.ts'
import { noWall, wall } from './confinement-rules.ts'

/** What of the confinement works on this machine. */
export interface Means {
  /** Every program runs as a user of its own. */
  readonly hasUsers: boolean
  readonly prlimit: string | null
  readonly setpriv: string | null
  /** Null also where no wall is wanted. */
  readonly nft: string | null
  readonly wantsWall: boolean
}

const mebibyte = 1024 * 1024
/**
 * Go takes its heap from the kernel 64 MiB at a time and counts all of it as data: Xray starts from 96 MiB on,
 * and this leaves it a second helping. Thread stacks count too, hence the small ones.
 */
const dataLimitBytes = 192 * mebibyte
const stackLimitBytes = mebibyte
/** Where Go begins to collect hard, well before the limit that ends the program. */
const heapTargetMebibytes = 96

export const goEnvironment = { GOMEMLIMIT: `${heapTargetMebibytes}MiB`, GOMAXPROCS: '2' }

const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/run/current-system/sw/bin']

const tool = (name: string): string | null => {
  const isThere = (path: string): boolean => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  }
  return folders.map((folder) => join(folder, name)).find(isThere) ?? null
}

/** What a program may cost this machine beyond its memory; nothing is said of those that run for as long as they are wanted. */
export interface Allowance {
  /** Of all its threads together; at the end of it the kernel ends the program. */
  readonly cpuSeconds?: number
}

const limits = ({ hasUsers }: Means, { cpuSeconds }: Allowance): string[] => [
  ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`]),
  `--data=${dataLimitBytes}`,
  `--stack=${stackLimitBytes}`,
  '--nofile=8192',
  '--core=0',
  '--fsize=0',
  // Counted per user, so it would hit whoever runs the agent.
  ...(hasUsers ? ['--nproc=64'] : []),
]

const privileges = ({ hasUsers }: Means, uid: number, port: number): string[] => {
  if (!hasUsers) return ['--no-new-privs']
  const capabilities = port < 1024 ? '-all,+net_bind_service' : '-all'
  return [
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    '--no-new-privs',
    `--inh-caps=${capabilities}`,
    `--ambient-caps=${capabilities}`,
    `--bounding-set=${capabilities}`,
  ]
}

const nice = tool('nice')

/** Whatever ends by itself can wait for those who are being served; not so long that nobody waits for it any more. */
const patience = ({ cpuSeconds }: Allowance): string[] =>
  cpuSeconds === undefined || nice === null ? [] : [nice, '-n', '10', '--']

/** The words before a program's own command line. */
export const prefix = (means: Means, uid: number, port: number, allowance: Allowance = {}): string[] => [
  ...patience(allowance),
  ...(means.prlimit ? [means.prlimit, ...limits(means, allowance), '--'] : []),
  ...(means.setpriv ? [means.setpriv, ...privileges(means, uid, port), '--'] : []),
]

/** Node itself changes the user where setpriv is missing, and drops the groups with it. */
export const identity = ({ hasUsers, setpriv }: Means, uid: number): { uid?: number; gid?: number } =>
  hasUsers && !setpriv ? { uid, gid: uid } : {}

const works = (means: Means): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = tool('true')
    if (probe === null) return resolve(false)
    const descriptor = openSync(probe, constants.O_RDONLY)
    const path = means.hasUsers ? '/proc/self/fd/3' : probe
    const [file = path, ...args] = [...prefix(means, 299_999, 1024), path]
    const child = spawn(file, args, {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', descriptor],
      ...identity(means, 299_999),
    })
    closeSync(descriptor)
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })

/** Tried rather than assumed: containers take away any of this, each in its own way. */
export const whatWorksHere = async (table: string, wantsWall: boolean): Promise<Means> => {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  const [prlimit, setpriv] = [tool('prlimit'), tool('setpriv')]
  const bare: Means = { hasUsers: false, prlimit: null, setpriv: null, nft: null, wantsWall }
  const attempts = [
    { prlimit, setpriv },
    { prlimit, setpriv: null },
    { prlimit: null, setpriv },
    { prlimit: null, setpriv: null },
  ]
  const candidates = [...(isRoot ? [true] : []), false].flatMap((hasUsers) =>
    attempts.map((attempt) => ({ ...bare, hasUsers, ...attempt })),
  )
  for (const means of candidates) {
    if (!(await works(means))) continue
    return { ...means, nft: means.hasUsers && wantsWall ? await workingNft(table) : null }
  }
  return bare
}

const workingNft = async (table: string): Promise<string | null> => {
  const nft = tool('nft')
  if (nft === null) return null
  try {
    await runNft(wall(table, [{ uid: 299_999, reach: [] }], ['127.0.0.1', '::1']), nft)
    await runNft(noWall(table), nft)
    return nft
  } catch {
    return null
  }
}

/** One sentence for a report, or null when nothing is missing. */
export const whatIsMissing = ({ hasUsers, prlimit, setpriv, nft, wantsWall }: Means): string | null => {
  const missing = [
    hasUsers ? [] : ['users of their own (needs root on Linux)'],
    prlimit ? [] : ['memory limits (needs prlimit)'],
    setpriv ? [] : ['a ban on new privileges (needs setpriv)'],
    nft || !wantsWall
      ? []
      : [
          'a wall before private networks (needs root and nft; for the lack of nftables UDP is off, and customers borrow only sites of the server)',
        ],
  ].flat()
  return missing.length === 0 ? null : `customers' programs run without ${missing.join(', ')}`
}
