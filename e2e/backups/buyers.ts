import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { call, demand } from '../support/call.ts'
import type { Env } from '../support/process.ts'

/** Commands as an operator types them, and customers who remember what they were told. */

const cli = fileURLToPath(new URL('../../apps/server/cli.ts', import.meta.url))

export interface Typed {
  readonly code: number
  readonly out: string
  readonly err: string
}

export const type = (env: Env, ...line: string[]): Promise<Typed> =>
  new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', cli, ...line]
    execFile(process.execPath, args, { env: env as NodeJS.ProcessEnv }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })

export const must = async (env: Env, ...line: string[]): Promise<string> => {
  const { code, out, err } = await type(env, ...line)
  if (code !== 0) throw new Error(`sallyport ${line.join(' ')}: exit ${code}\n${out}${err}`)
  return out
}

/** A disk of its own, where the machine lets us have one. */
export const smallDisk = (
  path: string,
  size: string,
  onEnd: (cleanUp: () => unknown) => void,
): string | null => {
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return null
  }
  onEnd(() => execFileSync('umount', ['-l', path], { stdio: 'ignore' }))
  return path
}

/** A purchase whose answer arrived. */
export interface Bought {
  readonly id: number
  readonly token: string
  readonly atMs: number
}

export class Buyers {
  readonly bought: Bought[] = []
  readonly #tokens: readonly string[]
  readonly #locations: readonly number[]
  #isStopped = false

  constructor(tokens: readonly string[], locations: readonly number[]) {
    this.#tokens = tokens
    this.#locations = locations
  }

  static async open(url: string, operatorToken: string, count: number, locations: readonly number[]) {
    const tokens: string[] = []
    for (let n = 1; n <= count; n++) {
      const body = { email: `buyer-${n}@example.com` }
      const user = await demand(url, 'POST', '/operator/v1/users', { token: operatorToken, body })
      const money = { account: 'wallet', amount: 100_000, reason: 'for the rehearsal' }
      await demand(url, 'POST', `/operator/v1/users/${user.id}/balance`, {
        token: operatorToken,
        body: money,
      })
      tokens.push(user.api_key)
    }
    return new Buyers(tokens, locations)
  }

  /** One purchase by one of them; undefined when it was not answered with a yes. */
  async buy(url: string, n: number): Promise<Bought | undefined> {
    const token = this.#tokens[n % this.#tokens.length] ?? ''
    const location_id = this.#locations[n % this.#locations.length]
    const body = { location_id, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
    const answer = await call(url, 'POST', '/v1/configs', { token, body, patienceMs: 5000 }).catch(
      () => undefined,
    )
    if (answer?.body.status !== true) return undefined
    const bought = { id: Number(answer.body.data.id), token, atMs: Date.now() }
    this.bought.push(bought)
    return bought
  }

  /** Until they are told to stop, with a pause after whatever was refused. */
  async goOn(url: string, pauseMs = 50): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      if (!(await this.buy(url, n))) await sleep(200)
      await sleep(pauseMs)
    }
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Which of these the service knows of now. */
  async known(url: string): Promise<ReadonlySet<number>> {
    const ids = new Set<number>()
    for (const token of this.#tokens) {
      const list = await demand(url, 'GET', '/v1/configs', { token })
      for (const { id } of (list.items ?? list) as { id: number }[]) ids.add(id)
    }
    return ids
  }
}
