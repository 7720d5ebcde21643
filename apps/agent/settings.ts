import type { AgentOptions } from './agent.ts'
import { locateEngine } from './engines/common/locate.ts'

export type AgentSettings = Omit<AgentOptions, 'log'>

const readUrl = (env: NodeJS.ProcessEnv): string => {
  const text = env.SALLYPORT_URL ?? ''
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new Error(
      `SALLYPORT_URL must be the address of the service, like https://vpn.example.com, not "${text}"`,
    )
  }
  return text.replace(/\/+$/, '')
}

const readInterval = (env: NodeJS.ProcessEnv, name: string, usualMs: number): number => {
  const text = env[name]
  if (text === undefined || text === '') return usualMs
  const value = Number(text)
  if (!Number.isInteger(value) || value < 100 || value > 3_600_000) {
    throw new Error(`${name} must be a whole number of milliseconds from 100 to 3600000, not "${text}"`)
  }
  return value
}

const readSwitch = (env: NodeJS.ProcessEnv, name: string): boolean => {
  const text = env[name] ?? ''
  if (['1', 'true', 'yes'].includes(text)) return true
  if (['', '0', 'false', 'no'].includes(text)) return false
  throw new Error(`${name} must be true or false, not "${text}"`)
}

const readPorts = (text: string): string => {
  if (/^\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*$/.test(text)) return text
  throw new Error(`SALLYPORT_RESERVED_PORTS must be ports and ranges, like 10000-29999,35000, not "${text}"`)
}

/** Settings from the environment; throws a sentence that names the bad one. */
export const readSettings = (env: NodeJS.ProcessEnv): AgentSettings => {
  const stateDir = env.SALLYPORT_AGENT_DIR
  if (!stateDir)
    throw new Error('SALLYPORT_AGENT_DIR must name the directory where this node keeps its state')
  return {
    locate: (name) => locateEngine(name, env),
    serviceUrl: readUrl(env),
    stateDir,
    ...(env.SALLYPORT_ENROL_TOKEN ? { enrolmentToken: env.SALLYPORT_ENROL_TOKEN } : {}),
    reportIntervalMs: readInterval(env, 'SALLYPORT_REPORT_INTERVAL_MS', 15_000),
    meterIntervalMs: readInterval(env, 'SALLYPORT_METER_INTERVAL_MS', 5000),
    allowPrivateTargets: readSwitch(env, 'SALLYPORT_ALLOW_PRIVATE_TARGETS'),
    ...(env.SALLYPORT_RESERVED_PORTS ? { reservedPorts: readPorts(env.SALLYPORT_RESERVED_PORTS) } : {}),
    ...(env.SALLYPORT_READY_FILE ? { readyFile: env.SALLYPORT_READY_FILE } : {}),
  }
}
