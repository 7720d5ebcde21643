import { type Env, fail, readUrl } from './config-values.ts'

/** Where traces go, by the names that OpenTelemetry gives to settings. */
export interface TracesConfig {
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Of all requests and runs of jobs, from 0 to 1. */
  readonly ratio: number
}

const readRatio = (env: Env): number => {
  const text = env.OTEL_TRACES_SAMPLER_ARG || '1'
  const ratio = Number(text)
  if (!/^\d(\.\d+)?$/.test(text) || ratio > 1)
    fail('OTEL_TRACES_SAMPLER_ARG', text, 'give the part that is traced, from 0 to 1, like 0.01.')
  return ratio
}

/** What an operator types there may be a password: it is not repeated. */
const readHeaders = (env: Env): Record<string, string> => {
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([\w-]+)=([\x20-\x7e]*)$/.exec(pair) ?? []
      if (name === undefined || value === undefined)
        return fail(
          'OTEL_EXPORTER_OTLP_HEADERS',
          '…',
          'give pairs like authorization=Bearer%20token,tenant=1.',
        )
      return [name.toLowerCase(), decodeURIComponent(value.trim())]
    }),
  )
}

/** Undefined where nobody collects them. */
export const readTraces = (env: Env): TracesConfig | undefined => {
  const endpoint = readUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], 'http://127.0.0.1:4318')
  if (endpoint === undefined) return undefined
  const serviceName = env.OTEL_SERVICE_NAME || 'sallyport'
  return { endpoint, headers: readHeaders(env), serviceName, ratio: readRatio(env) }
}
