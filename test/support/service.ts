import { MemoryLimiter } from '../../apps/server/adapters/limits/memory-limiter.ts'
import { readConfig } from '../../apps/server/config.ts'
import { createOperator } from '../../apps/server/core/operators/operators.ts'
import type { OnUndeclared } from '../../apps/server/http/failures.ts'
import { type RunningService, startService } from '../../apps/server/main.ts'
import type { AgentKit } from '../../apps/server/ports/agent-kit.ts'
import type { Limiter } from '../../apps/server/ports/limiter.ts'
import { createTestDatabase, patiently, type TestDatabase, testEngine } from './databases/database.ts'
import { testEpoch, testSecretKey } from './databases/demo-database.ts'
import { freePort } from './ports.ts'

/** A clock the test turns; limits follow it too, so that waiting a second costs nothing. */
export class TestClock {
  #now = testEpoch

  /** As the clock of production, it works only as a method of its object. */
  now(): number {
    return this.#now
  }

  advance(seconds: number): void {
    this.#now += seconds
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export interface TestUser {
  readonly id: number
  readonly api_key: string
  readonly session_token: string
  readonly subscription_key: string
  readonly referral_code: string
}

export interface CallOptions {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** What most tests buy: 30 days of VLESS in location 1, from the balance. */
export const usualOrder = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }

export class TestService {
  running: RunningService
  readonly clock: TestClock
  readonly operatorToken: string
  readonly undeclared: string[]
  /** For a second instance on the same database. */
  readonly env: Record<string, string>
  readonly #start: () => Promise<RunningService>
  readonly #cleanUp: () => Promise<void>

  constructor(at: {
    running: RunningService
    start: () => Promise<RunningService>
    clock: TestClock
    operatorToken: string
    undeclared: string[]
    env: Record<string, string>
    cleanUp: () => Promise<void>
  }) {
    this.running = at.running
    this.clock = at.clock
    this.operatorToken = at.operatorToken
    this.undeclared = at.undeclared
    this.env = at.env
    this.#start = at.start
    this.#cleanUp = at.cleanUp
  }

  get db() {
    return this.running.services.db
  }

  async call(method: string, path: string, { token, body, headers }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(this.running.url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }

  /** A call of the customer API after waiting out the operation's limit. */
  customer(user: TestUser, method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    this.clock.advance(1)
    return this.call(method, `/v1${path}`, { token: user.api_key, body, ...(headers && { headers }) })
  }

  operator(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.call(method, `/operator/v1${path}`, { token: this.operatorToken, body })
  }

  async createUser(fields: Record<string, unknown> = {}): Promise<TestUser> {
    const answer = await this.operator('POST', '/users', fields)
    if (answer.status !== 201) throw new Error(`No user: ${JSON.stringify(answer.body)}`)
    return answer.body.data as TestUser
  }

  /** The configuration that was bought; anything but a success ends the test. */
  async buy(user: TestUser, body: object = {}) {
    const answer = await this.customer(user, 'POST', '/configs', { ...usualOrder, ...body })
    if (answer.status !== 201) throw new Error(`Nothing bought: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  /** Demo servers sell only while their node is alive; no agent runs in these tests. */
  async heartbeat(): Promise<void> {
    await this.db.updateTable('node_status').set({ last_seen_at: this.clock.now() }).execute()
  }

  /** Away and back again at the same address, with the same data. */
  async whileAway(work: () => Promise<void>): Promise<void> {
    await this.running.stop()
    try {
      await work()
    } finally {
      this.running = await this.#start()
    }
  }

  async stop(): Promise<void> {
    await this.running.stop()
    await this.#cleanUp()
    if (this.undeclared.length > 0)
      throw new Error(`Undeclared errors answered: ${this.undeclared.join(', ')}`)
  }
}

export interface TestServiceOptions {
  readonly env?: Record<string, string>
  /** On PostgreSQL nothing may be there but the tables; the embedded default always has the demo. */
  readonly content?: 'empty' | 'demo'
  /** Outside of tests: one with the demo in it, instead of a copy of the run's. */
  readonly database?: TestDatabase
  /** For tests whose rule lies behind the limits. */
  readonly withoutLimits?: boolean
  /** Where a web app was built that is not the one of this repository. */
  readonly cabinetDir?: string
  readonly consoleDir?: string
  /** What is handed out to machines; something that costs nothing, unless said. */
  readonly agentKit?: AgentKit
  /** Rounds run when the test asks for them: one between two steps of a test would find the clock moved and nobody heard. */
  readonly hasIdleRounds?: boolean
  /** Given every line of the log, which is silent unless `env` says otherwise. */
  readonly onLog?: (line: string) => void
}

/** The release of a kit that nobody has made. */
export const testRelease = 'c63b81e457a32398'
const standInKit: AgentKit = { release: async () => testRelease, known: () => testRelease }

export const openLimiter: Limiter = {
  take: (_key, limit) => ({
    limit: limit.points,
    remaining: limit.points,
    resetsAtMs: 0,
    retryAfterSeconds: 1,
    isAllowed: true,
  }),
  giveBack: () => undefined,
  close: async () => undefined,
}

/** The whole service on a free port, with the demo catalogue, a test clock and no agent. */
export const startTestService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  const database = options.database ?? (await createTestDatabase(testEngine(), options.content ?? 'demo'))
  const clock = new TestClock()
  const undeclared: string[] = []
  const env: Record<string, string> = {
    PORT: String(await freePort()),
    DATA_DIR: database.dataDir,
    LOG_LEVEL: 'silent',
    LOCAL_AGENT: 'off',
    SECRET_KEY: testSecretKey,
    // Nothing listens there: no test registers an account with the real one.
    WARP_URL: 'http://127.0.0.1:9',
    SANDBOX_PAYMENTS: 'on',
    // Where engines and what the installer hands out were made once.
    ...(process.env.XDG_CACHE_HOME && { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME }),
    ...(database.databaseUrl && { DATABASE_URL: patiently(database.databaseUrl) }),
    ...options.env,
  }
  const config = readConfig(env)
  const limiter = options.withoutLimits ? openLimiter : new MemoryLimiter(() => clock.now() * 1000)
  const onUndeclared: OnUndeclared = (operation, error) => undeclared.push(`${error} by ${operation}`)
  const { onLog, cabinetDir, consoleDir, agentKit = standInKit, hasIdleRounds = false } = options
  const logTo = onLog && { write: onLog }
  const given = {
    agentKit,
    ...(logTo && { logTo }),
    ...(cabinetDir !== undefined && { cabinetDir }),
    ...(consoleDir !== undefined && { consoleDir }),
  }
  const start = () => startService(config, { clock, limiter, onUndeclared, hasIdleRounds, ...given })
  const running = await start()
  const operatorToken = await createOperator(running.services.db, {
    name: 'test',
    role: 'owner',
    now: clock.now(),
  })
  const service = new TestService({
    env: { ...env, PORT: String(await freePort()) },
    running,
    start,
    clock,
    operatorToken,
    undeclared,
    cleanUp: database.remove,
  })
  await service.heartbeat()
  return service
}
