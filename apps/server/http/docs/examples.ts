import type { Auth } from '@sallyport/contract/operation'
import type { ContractOperation, OperationName } from '@sallyport/contract/tables'
import type { Language } from '@sallyport/domain/language'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'

/** Requests and answers that fit the schemas, with values a reader recognises. */

const link =
  'vless://0b7c…@203.0.113.10:443?security=reality&flow=xtls-rprx-vision&sni=www.example.com#Amsterdam'
const key = 'mKq1cXJ6dEw0u8mS3tYv5yB7pR9zN2aL4fH6gD8kT0o'
const now = 1_767_225_600

/** Used for a field of that name wherever the value fits its schema. */
const known: Readonly<Record<string, readonly unknown[]>> = {
  id: [42],
  title: ['Laptop'],
  protocol: ['vless'],
  currency: ['RUB'],
  price: [200],
  days: [30],
  auto_renewal: [false],
  auto_renewal_days: [null],
  connection_url: [link],
  created_at: [now],
  last_used_at: [now + 3600],
  last_seen_at: [now],
  expires_at: [now + 30 * 86_400],
  available_slots: [120],
  code: ['NL'],
  host: ['203.0.113.10'],
  date: ['2026-01-01'],
  cpu: [12.5],
  ram: [48.2],
  up: [310.4],
  down: [295.1],
  uptime_days: [37],
  address: ['203.0.113.10'],
  ping_ip: ['203.0.113.10'],
  email: ['anna@example.com'],
  uuid: ['0b7c1f52-6c1e-4f0e-9d3b-2a4f8f5f6c11'],
  subscription_key: ['k3Vb9QwErTy1UiOp5AsDf7GhJk2LzXc8'],
  sign_in_method: ['authCode'],
  balance: [10_000],
  referral_code: ['ANNA2026'],
  private_key: [key],
  public_key: [key],
  prefix: ['a1B2c3D4'],
  api_key: ['slp_a1B2c3D4_XXXXXXXXXXXXXXXXXXXXXXXX'],
  session_token: ['eyJhbGciOiJFZERTQSJ9…'],
  percent: [-10],
  type: ['configs'],
  name: ['ams-1'],
  version: ['26.3.27'],
  capacity: [200],
  domain: ['nl1.example.com'],
  ports: [{ vless: 443 }],
  reality_target: ['www.example.com:443'],
  reality_server_name: ['www.example.com'],
  tag: ['vless-3'],
  inbound: ['vless-3'],
  listen: ['0.0.0.0'],
  cpu_model: ['AMD EPYC'],
  agent_version: ['0.1.0'],
  apply_error: [null],
  detail: [null],
}

/** Words the service itself says in the caller's language. */
const spoken: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  display_name: { ru: 'Баланс', en: 'Balance' },
  caption: { ru: 'Демо', en: 'Demo' },
  description: { ru: 'Амстердам, быстрый канал по Европе', en: 'Amsterdam, fast across Europe' },
  content: { ru: 'Технические работы завершены', en: 'Maintenance is over' },
  comment: { ru: 'Постоянный клиент', en: 'A regular customer' },
  product_title: { ru: 'Все конфигурации', en: 'All configurations' },
}

const candidates = (name: string, language: Language): readonly unknown[] => {
  if (Object.hasOwn(spoken, name)) return [spoken[name]?.[language]]
  return Object.hasOwn(known, name) ? (known[name] as readonly unknown[]) : []
}

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
}

export const sampleOf = (schema: TSchema, language: Language, name = ''): unknown => {
  const fitting = candidates(name, language).find((value) => Check(schema, value))
  if (fitting !== undefined) return fitting
  const plain = schema as Schema
  if ('const' in plain) return plain.const
  if (plain.enum) return plain.enum[0]
  if (plain.anyOf) return sampleOf(plain.anyOf[0] as TSchema, language, name)
  if (plain.items) return [sampleOf(plain.items, language, name)]
  if (plain.properties) return sampleFields(plain, language)
  if (plain.type === 'boolean') return true
  if (plain.type === 'string') return 'text'
  return plain.type === 'null' ? null : Math.max(plain.minimum ?? 1, name.endsWith('_id') ? 1 : 0)
}

const sampleFields = ({ properties = {}, required = [] }: Schema, language: Language): object =>
  Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] as TSchema, language, name)]))

/** Where the required fields alone would not make a telling request. */
const bodies: Partial<Readonly<Record<OperationName, object>>> = {
  renewConfig: { payment_method_id: 1, tariff_id: 1 },
  changeConfigSettings: { location_id: 2, protocol: 'vless', use_extended_settings: true, use_grpc: true },
  makeBridge: { first_config_id: 42, second_config_id: 43 },
  changeXrayConfig: { xray_config: '{"inbounds":[…],"outbounds":[…],"routing":{…}}' },
  changeAwgConfig: { port: 45_000, jc: 5, jmin: 50, jmax: 900 },
  switchAutoRenewal: { enabled: true, days: 30 },
  createSubconfig: { protocol: 'mtproto', tls_domain: 'www.example.com' },
  buyConfig: { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 },
  createApiKey: { title: 'Laptop' },
  createUser: { email: 'anna@example.com', balance: 500 },
}

export const bodyExample = ({ name, row }: ContractOperation, language: Language): unknown =>
  row.request.body && (bodies[name] ?? sampleOf(row.request.body, language))

export const answerExample = ({ row }: ContractOperation, language: Language): object => {
  const [status, data] = Object.entries(row.response)[0] as [string, TSchema]
  return { status: true, statusCode: Number(status), data: sampleOf(data, language) }
}

/** Shell variables the reader sets once; see the introduction. */
export const tokenVariables: Readonly<Record<Auth, string | undefined>> = {
  customer: 'KEY',
  session: 'SESSION',
  operator: 'OPERATOR',
  agent: 'AGENT',
  public: undefined,
}

const shortBody = 72
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const addressOf = ({ base, row }: ContractOperation, language: Language): string => {
  const { params, query } = row.request
  const values = params ? (sampleOf(params, language) as Record<string, unknown>) : {}
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => String(values[name]))
  const search = new URLSearchParams(query ? (sampleOf(query, language) as Record<string, string>) : {})
  return `"$ORIGIN${base}${path}${search.size > 0 ? `?${search}` : ''}"`
}

export const curlOf = (operation: ContractOperation, language: Language): string => {
  const { method, auth } = operation.row
  const body = bodyExample(operation, language)
  const isPlain = method === (body === undefined ? 'GET' : 'POST')
  const lines = [`curl -s ${isPlain ? '' : `-X ${method} `}${addressOf(operation, language)}`]
  const variable = tokenVariables[auth]
  if (variable) lines.push(`-H "Authorization: Bearer $${variable}"`)
  if (body !== undefined) {
    const inline = JSON.stringify(body)
    lines.push(`-H 'Content-Type: application/json'`)
    lines.push(`-d ${shellQuoted(inline.length > shortBody ? JSON.stringify(body, null, 2) : inline)}`)
  }
  return lines.join(' \\\n  ')
}
