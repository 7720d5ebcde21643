import type { Auth } from '@sallyport/contract/operation'
import type { ContractOperation, OperationName } from '@sallyport/contract/tables'
import type { Language } from '@sallyport/domain/delivery/language'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { ownValues, type Values, valuesOf } from './sample-values.ts'

/** Requests and answers that fit the schemas, with values a reader recognises. */

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

const noValues: Values = {}

/** `own` holds what one operation says by its own names; it comes before what is known of names everywhere. */
export const sampleOf = (schema: TSchema, language: Language, name = '', own = noValues): unknown => {
  const candidates = Object.hasOwn(own, name) ? [own[name]] : valuesOf(name, language)
  const fitting = candidates.find((value) => Check(schema, value))
  if (fitting !== undefined) return fitting
  const plain = schema as Schema
  if ('const' in plain) return plain.const
  if (plain.enum) return plain.enum[0]
  if (plain.anyOf) return sampleOf(plain.anyOf[0] as TSchema, language, name, own)
  if (plain.items) return [sampleOf(plain.items, language, name, own)]
  if (plain.properties) return sampleFields(plain, language, own)
  if (plain.type === 'object') return {}
  if (plain.type === 'boolean') return true
  if (plain.type === 'string') return 'text'
  return plain.type === 'null' ? null : Math.max(plain.minimum ?? 1, name.endsWith('_id') ? 1 : 0)
}

/** Optional fields are shown where the operation has a value of its own for them. */
const sampleFields = (
  { properties = {}, required = [] }: Schema,
  language: Language,
  own: Values,
): object => {
  const names = Object.keys(properties).filter((name) => required.includes(name) || Object.hasOwn(own, name))
  return Object.fromEntries(
    names.map((name) => [name, sampleOf(properties[name] as TSchema, language, name, own)]),
  )
}

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
  changeNotificationSettings: { notification_start_hour: 9, notification_end_hour: 23, timezone_offset: 180 },
  withdrawBySbp: { bank_id: '100000000111', amount: 5000, phone_number: '+79001234567' },
  withdrawToCard: { amount: 5000, card_number: '2200 0000 0000 0004' },
  topUpBalance: { amount: 500, payment_method_id: 2 },
  refundPayment: { to: 'source', reason: 'asked within a day' },
  rejectWithdrawal: { reason: 'the card is closed' },
  issuePromocodes: { product_type: 'configs', days: 30, count: 10 },
  setRate: { rub: 412.5, valid_hours: 24 },
  adjustBalance: { account: 'wallet', amount: 300, reason: 'two days without a server' },
  changePaymentMethod: { provider: 'yookassa', is_active: true },
  blockUser: { is_blocked: true },
  changeSettings: { referral_percent: 25 },
  startEmailSignIn: { email: 'anna@example.com', referral_code: 'OLGA2026' },
  verifyEmailSignIn: { email: 'anna@example.com', code: '402817' },
  signInWithCode: { code: 'K7QM-2XPA-9D4T-HW3C' },
  signInWithOtp: { login: 'anna@example.com', password: 'K7QM-2XPA' },
  signInWithTelegram: { init_data: 'query_id=…&user=…&auth_date=1767225600&hash=…' },
  startOauth: { return_to: '/', link: true },
  activateTransferKey: { key: 'K7QM-2XPA-9D4T-HW3C' },
  changeDeviceSettings: { device_limit: 5, block_unknown_devices: false },
  blockDevice: { is_blocked: true },
  resolveAlert: { comment: 'refunded by hand' },
}

export const bodyExample = ({ name, row }: ContractOperation, language: Language): unknown =>
  row.request.body && (bodies[name] ?? sampleOf(row.request.body, language))

export const answerExample = ({ name, row }: ContractOperation, language: Language): object => {
  const [status, data] = Object.entries(row.response)[0] as [string, TSchema]
  return { status: true, statusCode: Number(status), data: sampleOf(data, language, '', ownValues[name]) }
}

/** Shell variables the reader sets once; see the introduction. */
export const tokenVariables: Readonly<Record<Auth, string | undefined>> = {
  customer: 'KEY',
  session: 'SESSION',
  operator: 'OPERATOR',
  agent: 'AGENT',
  visitor: undefined,
  public: undefined,
}

const shortBody = 72
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const addressOf = ({ name: operation, base, row }: ContractOperation, language: Language): string => {
  const { params, query } = row.request
  const own = ownValues[operation]
  const values = params ? (sampleOf(params, language, '', own) as Record<string, unknown>) : {}
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
