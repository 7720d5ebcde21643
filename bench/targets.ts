import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sha256 } from '../apps/server/core/kernel/vault.ts'
import { freePort } from '../test/support/ports.ts'
import type { Customer, Seeded } from './seed.ts'

export type Scenario = 'profile' | 'configs' | 'sub' | 'device'

/** A service under load, in a process of its own. */
export interface Target {
  readonly name: string
  readonly port: number
  readonly process: ChildProcess
  requestFor(scenario: Scenario, customer: Customer): string
}

const get = (path: string, header = ''): string => `GET ${path} HTTP/1.1\r\nHost: bench\r\n${header}\r\n`

const sallyportRequest = (scenario: Scenario, { id, apiKey, subscriptionKey }: Customer): string => {
  if (scenario === 'sub') return get(`/sub/${subscriptionKey}`)
  if (scenario === 'device') return get(`/sub/${subscriptionKey}`, `X-Hwid: bench-device-${id}\r\n`)
  return get(`/v1/${scenario}`, `Authorization: Bearer ${apiKey}\r\n`)
}

const bareRequest = (scenario: Scenario, { id, subscriptionKey }: Customer): string =>
  scenario === 'sub' || scenario === 'device'
    ? get(`/sub/${sha256(subscriptionKey).toString('hex')}`)
    : get(`/${scenario}/${id}`)

const untilListening = async (name: string, port: number, child: ChildProcess): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) break
    const isUp = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${name} did not start`)
}

/** A program of this folder, on a port of its own. */
export const startTarget = async (
  name: string,
  args: readonly string[],
  env: Record<string, string>,
  requestFor: Target['requestFor'] = () => '',
): Promise<Target> => {
  const port = await freePort()
  const [file = '', ...rest] = args
  const path = fileURLToPath(new URL(file, import.meta.url))
  const flags = (process.env.BENCH_NODE_FLAGS ?? '').split(' ').filter(Boolean)
  const child = spawn(process.execPath, [...process.execArgv, ...flags, path, ...rest], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilListening(name, port, child)
  return { name, port, process: child, requestFor }
}

export const sallyport = 'Sallyport'
export const bareFastify = 'bare Fastify'
export const bareHttp = 'bare node:http'

type Stored = Pick<Seeded, 'databaseUrl' | 'secretKey'>

export const startSallyport = ({ databaseUrl, secretKey }: Stored): Promise<Target> => {
  const settings = { SECRET_KEY: secretKey, LOCAL_AGENT: 'off', LOG_LEVEL: 'warn', HOST: '127.0.0.1' }
  const env = { DATABASE_URL: databaseUrl, ...settings }
  return startTarget(sallyport, ['../apps/server/cli.ts', 'start'], env, sallyportRequest)
}

export const startTargets = async (seeded: Seeded): Promise<Target[]> => {
  const env = { DATABASE_URL: seeded.databaseUrl }
  return [
    await startSallyport(seeded),
    await startTarget(bareFastify, ['./baselines/fastify.ts'], env, bareRequest),
    await startTarget(bareHttp, ['./baselines/node-http.ts'], env, bareRequest),
  ]
}

export const stopTargets = (targets: readonly Target[]): Promise<unknown> =>
  Promise.all(
    targets.map(({ process: child }) => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      return child.kill('SIGTERM') && ended
    }),
  )

const clockTicksPerSecond = 100

/** Processor time of a process so far in seconds, or undefined where /proc does not tell. */
export const cpuSeconds = ({ process: child }: Target): number | undefined => {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond
  } catch {
    return undefined
  }
}

export const residentMegabytes = ({ process: child }: Target): number | undefined => {
  try {
    const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024)
  } catch {
    return undefined
  }
}
