import { createHash } from 'node:crypto'
import type { FileCache, Stored } from './cache.ts'
import { readUnits, readUpgradeScript } from './units.ts'

/** Everything a machine gets from the service, and what of it is missing. */

export interface HandedEngine {
  readonly program: string
  readonly path: string
  readonly version: string
}

export interface EngineSource {
  readonly program: string
  /** Where it is on this machine, or why it is not to be had. */
  find(): Promise<{ readonly path: string; readonly version: string } | { readonly reason: string }>
}

export interface KitFile extends Stored {
  /** Where it goes within the release. */
  readonly place: string
  readonly mode: '755' | '644'
}

export interface Kit {
  readonly release: string
  /** As uname -m calls it. */
  readonly machine: string
  readonly files: readonly KitFile[]
  readonly engines: readonly { readonly place: string; readonly version: string }[]
  /** In sentences. */
  readonly missing: readonly string[]
}

export interface KitSources {
  readonly cache: FileCache
  readonly engines: readonly EngineSource[]
  /** The runtime that is handed on. */
  readonly node: string
  readonly platform: string
  readonly arch: string
  readonly bundle: () => Promise<string>
}

const machines: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }

/** The service runs where its own programs are of no use to a Linux machine. */
export class NoKit extends Error {}

const machineOf = ({ platform, arch }: KitSources): string => {
  const machine = platform === 'linux' ? machines[arch] : undefined
  if (machine) return machine
  throw new NoKit(`the service runs on ${platform} ${arch} and hands out its own programs: run it on Linux`)
}

const releaseOf = async (kit: Omit<Kit, 'release' | 'missing'>): Promise<string> => {
  const files = kit.files.map(({ place, mode, sha256 }) => [place, mode, sha256])
  const content = JSON.stringify([files, kit.engines, [...(await readUnits())], await readUpgradeScript()])
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

export const prepareKit = async (sources: KitSources): Promise<Kit> => {
  const machine = machineOf(sources)
  const { cache, bundle, node } = sources
  const found = await Promise.all(
    sources.engines.map(async (engine) => ({ program: engine.program, ...(await engine.find()) })),
  )
  const missing = found.flatMap((one) => ('reason' in one ? [one.reason] : []))
  const present: HandedEngine[] = found.filter((one) => 'path' in one)
  const files: KitFile[] = [
    { place: 'agent.mjs', mode: '644', ...(await cache.keepText(await bundle())) },
    { place: 'node', mode: '755', ...(await cache.keepFile(node)) },
  ]
  for (const { program, path } of present) {
    files.push({ place: `bin/${program}`, mode: '755', ...(await cache.keepFile(path)) })
  }
  const engines = present.map(({ program, version }) => ({ place: `bin/${program}`, version }))
  const content = { machine, files, engines }
  return { ...content, missing, release: await releaseOf(content) }
}

const freshMs = 60_000

/** Prepared when it is first asked for, and looked at again when an engine may have come meanwhile. */
export class KeptKit {
  readonly #prepare: () => Promise<Kit>
  readonly #nowMs: () => number
  #kit: Promise<Kit> | null = null
  #madeAtMs = 0
  #files: ReadonlyMap<string, KitFile> = new Map()
  #release: string | null = null

  constructor(prepare: () => Promise<Kit>, nowMs: () => number = () => performance.now()) {
    this.#prepare = prepare
    this.#nowMs = nowMs
  }

  current(): Promise<Kit> {
    if (this.#kit !== null && this.#nowMs() - this.#madeAtMs < freshMs) return this.#kit
    this.#madeAtMs = this.#nowMs()
    const kit = this.#prepare()
    this.#kit = kit
    kit.then(
      ({ files, release }) => {
        this.#release = release
        // What was handed out before goes on being there for those who have its script.
        this.#files = new Map([...this.#files, ...files.map((file) => [file.sha256, file] as const)])
      },
      () => {
        if (this.#kit === kit) this.#kit = null
      },
    )
    return kit
  }

  /** Of the one that was prepared last; null before. */
  get release(): string | null {
    return this.#release
  }

  /** One that is or was part of a kit. */
  async file(sha256: string): Promise<KitFile | undefined> {
    // After a restart somebody may come with the script of before.
    if (this.#kit === null) await this.current().catch(() => undefined)
    await this.#kit?.catch(() => undefined)
    return this.#files.get(sha256)
  }
}
