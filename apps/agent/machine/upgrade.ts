import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UpgradeWish } from '@sallyport/contract/agent/agent'
import type { UpgradeReport } from '@sallyport/contract/agent/report'
import { readJson, writeFileAtomically } from '../common/files.ts'

/**
 * The service wishes another release to run here. The agent may not write where releases are: it leaves the name of the one
 * that is wanted, and what the installer put there fetches it from the service and goes back when it does not come up.
 */

const watcherUnit = '/etc/systemd/system/sallyport-agent-upgrade.path'
/** Written where the agent cannot write. */
const outcomeFile = '/opt/sallyport-agent/upgrade-outcome'
const longestFailure = 500

const requestFile = (stateDir: string): string => join(stateDir, 'upgrade')
const keptFile = (stateDir: string): string => join(stateDir, 'upgrade-wish')

/** By where this very program lies; null where the installer has not put it. */
export const releaseOf = (moduleUrl: string): string | null =>
  /\/opt\/sallyport-agent\/([0-9a-f]{16})\/agent\.mjs$/.exec(moduleUrl)?.[1] ?? null

interface Upgrading {
  readonly stateDir: string
  readonly log: (message: string) => void
  readonly release?: string | null
  readonly unit?: string
  readonly outcome?: string
}

const isWish = (value: unknown): value is UpgradeWish =>
  typeof (value as Partial<UpgradeWish> | null)?.id === 'string' &&
  typeof (value as Partial<UpgradeWish>).release === 'string'

const readOr = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

export class Upgrades {
  readonly #at: Required<Upgrading>

  constructor({ stateDir, log, ...rest }: Upgrading) {
    const usual = { release: releaseOf(import.meta.url), unit: watcherUnit, outcome: outcomeFile }
    this.#at = { stateDir, log, ...usual, ...rest }
  }

  /** Written down before it is done: one that fails is not tried again until somebody wishes it again. True when it is news. */
  async follow(wish: UpgradeWish | null | undefined): Promise<boolean> {
    const { stateDir, log, release } = this.#at
    if (!wish || (await this.#kept())?.id === wish.id) return false
    await writeFileAtomically(keptFile(stateDir), JSON.stringify({ id: wish.id, release: wish.release }))
    if (wish.release === release) return true
    log(`the service asks for release ${wish.release}`)
    if (await this.#isPossible())
      await writeFileAtomically(requestFile(stateDir), `${wish.release} ${wish.id}\n`)
    else log('it cannot be: run the line of the installer on this machine')
    return true
  }

  async report(): Promise<{ agent_release: string | null; upgrade: UpgradeReport }> {
    const { release } = this.#at
    const kept = await this.#kept()
    const failure = kept && kept.release !== release ? await this.#failureOf(kept) : null
    const upgrade = { is_possible: await this.#isPossible(), wish_id: kept?.id ?? null, failure }
    return { agent_release: release, upgrade }
  }

  async #kept(): Promise<UpgradeWish | null> {
    const value = await readJson(keptFile(this.#at.stateDir)).catch(() => null)
    return isWish(value) ? value : null
  }

  async #isPossible(): Promise<boolean> {
    const { release, unit, stateDir } = this.#at
    if (release === null) return false
    return (await readOr(unit)).split('\n').includes(`PathExists=${requestFile(stateDir)}`)
  }

  async #failureOf({ id }: UpgradeWish): Promise<string | null> {
    const [about, ...words] = (await readOr(this.#at.outcome)).trim().split('\n')
    return about === id ? words.join(' ').slice(0, longestFailure) || 'it failed without a word' : null
  }
}
