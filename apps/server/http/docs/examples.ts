import type { Auth } from '@sallyport/contract/operation'
import type { ContractOperation, OperationName } from '@sallyport/contract/tables'
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
  title: ['Laptop', 'Нидерланды'],
  protocol: ['vless'],
  currency: ['RUB'],
  display_name: ['Баланс'],
  price: [540],
  old_price: [600],
  days: [90],
  connection_url: [link],
  created_at: [now],
  last_used_at: [now + 3600],
  last_seen_at: [now],
  expires_at: [now + 90 * 86_400],
  available_slots: [120],
  code: ['NL'],
  caption: ['Демо'],
  description: ['Амстердам, быстрый канал по Европе'],
  address: ['203.0.113.10'],
  ping_ip: ['203.0.113.10'],
  email: ['anna@example.com'],
  uuid: ['0b7c1f52-6c1e-4f0e-9d3b-2a4f8f5f6c11'],
  subscription_key: ['k3Vb9QwErTy1UiOp5AsDf7GhJk2LzXc8'],
  sign_in_method: ['authCode'],
  balance: [10_000],
  referral_code: ['ANNA2026'],
  content: ['Технические работы завершены'],
  private_key: [key],
  public_key: [key],
  prefix: ['a1B2c3D4'],
  api_key: ['slp_a1B2c3D4_XXXXXXXXXXXXXXXXXXXXXXXX'],
  session_token: ['eyJhbGciOiJFZERTQSJ9…'],
  percent: [-10],
  comment: ['Постоянный клиент'],
  type: ['configs'],
  name: ['ams-1'],
  version: ['26.3.27'],
  capacity: [200],
  vless_port: [443],
  reality_target: ['www.example.com:443'],
  reality_server_name: ['www.example.com'],
  tag: ['vless-3'],
  inbound: ['vless-3'],
  listen: ['0.0.0.0'],
  cpu_model: ['AMD EPYC'],
  agent_version: ['0.1.0'],
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

export const sampleOf = (schema: TSchema, name = ''): unknown => {
  const fitting = (Object.hasOwn(known, name) ? known[name] : undefined)?.find((value) =>
    Check(schema, value),
  )
  if (fitting !== undefined) return fitting
  const plain = schema as Schema
  if ('const' in plain) return plain.const
  if (plain.enum) return plain.enum[0]
  if (plain.anyOf) return sampleOf(plain.anyOf[0] as TSchema, name)
  if (plain.items) return [sampleOf(plain.items, name)]
  if (plain.properties) return sampleFields(plain)
  if (plain.type === 'boolean') return name !== 'is_blocked'
  if (plain.type === 'string') return 'text'
  return plain.type === 'null' ? null : Math.max(plain.minimum ?? 1, name.endsWith('_id') ? 1 : 0)
}

const sampleFields = ({ properties = {}, required = [] }: Schema): object =>
  Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] as TSchema, name)]))

/** Where the required fields alone would not make a telling request. */
const bodies: Partial<Readonly<Record<OperationName, object>>> = {
  buyConfig: { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 },
  createApiKey: { title: 'Laptop' },
  createUser: { email: 'anna@example.com', balance: 500 },
}

export const bodyExample = ({ name, row }: ContractOperation): unknown =>
  row.request.body && (bodies[name] ?? sampleOf(row.request.body))

export const answerExample = ({ row }: ContractOperation): object => {
  const [status, data] = Object.entries(row.response)[0] as [string, TSchema]
  return { status: true, statusCode: Number(status), data: sampleOf(data) }
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

const addressOf = ({ base, row }: ContractOperation): string => {
  const { params, query } = row.request
  const values = params ? (sampleOf(params) as Record<string, unknown>) : {}
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => String(values[name]))
  const search = new URLSearchParams(query ? (sampleOf(query) as Record<string, string>) : {})
  return `"$ORIGIN${base}${path}${search.size > 0 ? `?${search}` : ''}"`
}

export const curlOf = (operation: ContractOperation): string => {
  const { method, auth } = operation.row
  const body = bodyExample(operation)
  const isPlain = method === (body === undefined ? 'GET' : 'POST')
  const lines = [`curl -s ${isPlain ? '' : `-X ${method} `}${addressOf(operation)}`]
  const variable = tokenVariables[auth]
  if (variable) lines.push(`-H "Authorization: Bearer $${variable}"`)
  if (body !== undefined) {
    const inline = JSON.stringify(body)
    lines.push(`-H 'Content-Type: application/json'`)
    lines.push(`-d ${shellQuoted(inline.length > shortBody ? JSON.stringify(body, null, 2) : inline)}`)
  }
  return lines.join(' \\\n  ')
}
