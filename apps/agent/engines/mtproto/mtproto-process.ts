import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { get } from 'node:http'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { AccessOf } from '@sallyport/contract/agent/agent'
import { bracketed } from '@sallyport/domain/vpn/endpoint'
import { sleep } from '../../common/backoff.ts'
import type { InTurn, Run } from '../common/fleet-member.ts'
import type { Cell, Confinement } from '../isolation/confinement.ts'
import type { Targets } from '../isolation/targets.ts'
import { portProblem, withFreePort } from '../net/ports.ts'
import { Child } from '../process/child.ts'

export type MtprotoAccess = AccessOf<'mtproto'>

export interface MtgOptions {
  readonly binary: string
  readonly directory: string
  readonly confinement: Confinement
  readonly targets: Targets
}

const startTimeoutMs = 15_000
const readTimeoutMs = 5000
const secretPattern = /^ee[0-9a-f]{34,}$/i
const domainAt = 34

/** Where mtg sends everybody who does not have the secret: the domain in it. */
export const frontingTarget = ({ secret }: Pick<MtprotoAccess, 'secret'>): string =>
  `${Buffer.from(secret.slice(domainAt), 'hex').toString()}:443`

interface MtgPlace {
  readonly statsPort: number
  /** host:port to send strangers to; mtg itself looks up the domain of the secret unless it is an address. */
  readonly fronting: string
}

const frontingBlock = (fronting: string): string => {
  const address = fronting.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return isIP(address) === 0 ? '' : `\n[domain-fronting]\nip = "${address}"\n`
}

/** What mtg is told. Lists of addresses to block would be downloaded, so there are none. */
export const mtgConfig = (
  { listen, port, secret }: MtprotoAccess,
  { statsPort, fronting }: MtgPlace,
): string => `
secret = "${secret}"
bind-to = "${bracketed(listen)}:${port}"
prefer-ip = "prefer-ipv4"
concurrency = 2048
tolerate-time-skewness = "10s"
allow-fallback-on-unknown-dc = true
auto-update = false
${frontingBlock(fronting)}
[defense.anti-replay]
enabled = true
max-size = "512kib"

[defense.blocklist]
enabled = false

[defense.allowlist]
enabled = false

[stats.prometheus]
enabled = true
bind-to = "127.0.0.1:${statsPort}"
http-path = "/"
metric-prefix = "mtg"
`

const trafficLine =
  /^mtg_(telegram|domain_fronting)_traffic\{.*direction="(to_client|from_client)".*\} (\S+)$/gm

/**
 * What was carried to and from Telegram. What a prober got from the fronting domain is not the customer's, unless the
 * customer chose the domain: then it may be anything.
 */
export const mtgTraffic = (metrics: string, isChosen: boolean): { up: number; down: number } => {
  const sums = { to_client: 0, from_client: 0 }
  for (const [, where, direction, bytes] of metrics.matchAll(trafficLine)) {
    if (where === 'telegram' || isChosen) sums[direction as keyof typeof sums] += Math.round(Number(bytes))
  }
  return { up: sums.from_client, down: sums.to_client }
}

/** Until this is there, mtg turns everybody away. */
const isReady = (metrics: string): boolean => metrics.includes('mtg_iplist_size{ip_list="allowlist"}')

const readMetrics = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, agent: false, timeout: readTimeoutMs }, (response) => {
      text(response).then(resolve, reject)
    })
    request.once('timeout', () => request.destroy(new Error('mtg does not answer')))
    request.once('error', reject)
  })

/** A file that only the program's user can read, and that has no name any more. */
const namelessFile = async (
  directory: string,
  content: string,
  owner: number | null,
): Promise<FileHandle> => {
  const path = join(directory, `mtg-${randomUUID()}.toml`)
  const writer = await open(path, 'wx', 0o400)
  try {
    await writer.writeFile(content)
    // Opened before it is given away: an agent with few capabilities may not read what is not its own.
    const reader = await open(path, 'r')
    if (owner !== null) await writer.chown(owner, owner)
    return reader
  } finally {
    await unlink(path)
    await writer.close()
  }
}

/** Its errors may quote the secret. */
const withoutSecrets = (reason: string): string => reason.replace(/[0-9a-f]{16,}/gi, '(secret)')

interface MtgRun {
  readonly statsPort: number
  readonly isStale: () => boolean
  /** Whether the fronting domain is of the customer's choosing. */
  readonly isChosen: boolean
}

class Mtg implements Run {
  readonly exited: Promise<string>
  readonly #child: Child
  readonly #statsPort: number
  readonly #isStale: () => boolean
  readonly #isChosen: boolean

  constructor(child: Child, { statsPort, isStale, isChosen }: MtgRun, onExit: () => void) {
    this.#child = child
    this.#statsPort = statsPort
    this.#isStale = isStale
    this.#isChosen = isChosen
    this.exited = child.exited.then(withoutSecrets).finally(onExit)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isStale(): boolean {
    return this.#isStale()
  }

  /** Resolves with the reason when it does not come up, or null. */
  failure(): Promise<string | null> {
    return Promise.race([this.#comesUp(), this.exited])
  }

  async traffic(): Promise<{ up: number; down: number }> {
    return mtgTraffic(await readMetrics(this.#statsPort), this.#isChosen)
  }

  async stop(): Promise<void> {
    await this.#child.kill()
    await this.exited
  }

  async #comesUp(): Promise<string | null> {
    const deadline = Date.now() + startTimeoutMs
    while (Date.now() < deadline) {
      if (isReady(await readMetrics(this.#statsPort).catch(() => ''))) {
        // It opens the customers' port after this one, and ends when it cannot.
        return Promise.race([this.exited, sleep(100).then(() => null)])
      }
      await sleep(50)
    }
    return 'it did not answer'
  }
}

const spawnMtg = async (access: MtprotoAccess, cell: Cell, place: MtgPlace, options: MtgOptions) => {
  const { binary, directory, confinement } = options
  const owner = confinement.ownerOf(cell)
  const file = await namelessFile(directory, mtgConfig(access, place), owner)
  try {
    return confinement.spawn(cell, binary, { args: ['run', '/dev/fd/4'], files: [file.fd] })
  } finally {
    await file.close()
  }
}

const launch = async (access: MtprotoAccess, fronting: string, options: MtgOptions): Promise<Run> => {
  const { listen, port, id } = access
  const { confinement, targets } = options
  const problem = await portProblem(listen, port, ['tcp'])
  if (problem !== null) throw new Error(problem)
  return withFreePort(async (statsPort) => {
    const cell = await confinement.admit(id, { port })
    const release = () => confinement.release(cell)
    const process = await spawnMtg(access, cell, { statsPort, fronting }, options).catch((error) => {
      release()
      throw error
    })
    const named = frontingTarget(access)
    targets.keep(named, fronting)
    const isStale = () => targets.isStale(named, fronting)
    const child = new Child(process, /^mtg: error:|^panic:|^fatal error:/)
    const mtg = new Mtg(child, { statsPort, isStale, isChosen: !targets.isOwn(named) }, release)
    const failure = await mtg.failure()
    if (failure === null) return mtg
    await mtg.stop()
    throw new Error(`mtg did not start: ${failure}`)
  })
}

/** Starts the Telegram proxy of an access and waits until it takes customers. */
export const startMtg = async (access: MtprotoAccess, options: MtgOptions, inTurn: InTurn): Promise<Run> => {
  if (!secretPattern.test(access.secret)) throw new Error('the secret is not a fake-TLS one')
  const fronting = await options.targets.settle(frontingTarget(access))
  return inTurn(() => launch(access, fronting, options))
}
