import type { ContractOperation } from '@sallyport/contract/tables'
import type { Labels } from './labels.ts'
import { awgValue, momentOf, mtprotoSecret, normaliseText, portValue } from './texts.ts'

/** Requests and answers without what differs from run to run, by the names of their fields. */

/** Whose number `id` is, by the part of the address that it stands after or that answers it; all others stay. */
const kindOfPart: Readonly<Record<string, string>> = {
  users: 'user',
  profile: 'user',
  'pricing-rules': 'rule',
  notifications: 'notice',
  nodes: 'node',
  operators: 'operator',
  me: 'operator',
  tokens: 'token',
  servers: 'server',
  'available-servers': 'server',
  payments: 'order',
  'payments-history': 'order',
  orders: 'order',
  ledger: 'entry',
  refund: 'refund',
  terms: 'term',
  receipts: 'receipt',
  withdrawals: 'withdrawal',
  sbp: 'withdrawal',
  card: 'withdrawal',
  promocodes: 'promocode',
  events: 'event',
  alerts: 'alert',
  audit: 'audit',
  configs: 'config',
  renewal: 'config',
  bridges: 'bridge',
  subconfig: 'proxy',
  devices: 'device',
  'custom-subscriptions': 'custom',
  'one-time-links': 'link',
  'available-items': 'config',
  'api-keys': 'api-key',
  passkeys: 'passkey',
  identities: 'identity',
  trials: 'trial',
  webhooks: 'webhook',
  deliveries: 'delivery',
  'cloud-servers': 'machine',
  clouds: 'cloud',
  proxies: 'proxy',
  broadcasts: 'broadcast',
  'agent-upgrades': 'upgrade',
  // The catalogue's own numbers, which stay.
  'payment-methods': '',
  tariffs: '',
  calculate: '',
  'sbp-bank-list': '',
}

/** Lists inside an answer whose entries are of another kind. */
const kindOfList: Readonly<Record<string, string>> = {
  receipts: 'receipt',
  refunds: 'refund',
  transfers: 'entry',
  payments: 'payment',
  servers: 'server',
  tariffs: '',
  codes: 'code',
  items: 'item',
  paid_options: 'option',
  identities: 'identity',
  subscriptions: 'subscription',
  accesses: 'config',
  devices: 'device',
  pricing_rules: 'rule',
  orders: 'order',
  notifications: 'notice',
  events: 'event',
  sample: 'user',
  api_keys: 'key',
  configurations: 'config',
}

const kindOfField: Readonly<Record<string, string>> = {
  item_id: 'config',
  product_id: 'config',
  buyer_id: 'user',
  used_by: 'user',
  referrer_id: 'user',
  resolved_by: 'operator',
  back_of: 'upgrade',
  ruleId: 'rule',
  deviceId: 'device',
  cloud_server_id: 'machine',
  // The catalogue's own numbers, which stay.
  location_id: '',
  tariff_id: '',
  payment_method_id: '',
}

/** Of what a payment gave, by its type. */
const kindOfItem: Readonly<Record<string, string>> = {
  configs: 'config',
  cloud_servers: 'machine',
  paid_options: '',
}

/** Of fields that are called by what they number, such as user_id and second_config_id. */
const kindOf = (field: string): string => kindOfField[field] ?? /(?:^|_)([a-z]+)_id$/.exec(field)?.[1] ?? ''

/** Whose number `id` is in the details of what an operator did. */
const kindOfAction: Readonly<Record<string, string>> = {
  createNotification: 'notice',
  createPricingRule: 'rule',
  deletePricingRule: 'rule',
  issuePromocodes: 'promocode',
}

/** Digits that the script chose, or that are the same everywhere. */
const literalFields: ReadonlySet<string> = new Set([
  ...['bank_id', 'card_number', 'account', 'phone_number'],
  ...['release', 'newest_release', 'release_before'],
])

const secretFields: Readonly<Record<string, string>> = {
  api_key: 'token',
  session_token: 'token',
  refresh_token: 'token',
  enrolment_token: 'token',
  token: 'token',
  prefix: 'prefix',
  subscription_key: 'subscription',
  referral_code: 'referral',
  promocode: 'code',
  code: 'code',
  key: 'code',
  password: 'password',
  challenge: 'bytes',
  clientDataJSON: 'bytes',
  attestationObject: 'bytes',
  authenticatorData: 'bytes',
  signature: 'bytes',
  userHandle: 'bytes',
  rawId: 'bytes',
  hash: 'bytes',
  init_data: 'bytes',
  payment_id: 'payment',
  provider_payment_id: 'payment',
  cause: 'cause',
  cursor: 'cursor',
  next_cursor: 'cursor',
  state: 'bytes',
  device_id: 'bytes',
}

/** Words that stand where a secret may: the names of payment methods, a code that nobody could have. Never for a prefix. */
const isWord = (text: string, field: string): boolean =>
  field !== 'prefix' && (/^[a-z_]*$/.test(text) || text.includes('•') || text.length < 4)

type Fields = Readonly<Record<string, unknown>>

const missing = 999_999_999

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

export interface Kinds {
  /** Of `id` in the address. */
  readonly asked: string
  /** Of `id` in the answer. */
  readonly answered: string
}

export const kindsOf = ({ base, row }: ContractOperation): Kinds => {
  const parts = partsOf(base + row.path)
  const at = parts.findIndex((part) => part.startsWith(':'))
  const last = parts.findLast((part) => kindOfPart[part] !== undefined) ?? ''
  return { asked: kindOfPart[parts[at - 1] ?? ''] ?? '', answered: kindOfPart[last] ?? '' }
}

export class Normaliser {
  readonly #labels: Labels
  readonly #places: readonly (readonly [url: string, name: string])[]

  /** Addresses of this run are called by the names given. */
  constructor(labels: Labels, places: readonly (readonly [url: string, name: string])[]) {
    this.#labels = labels
    this.#places = places
  }

  /** `kind` is that of a field called `id`. */
  value(given: unknown, kind: string, field = ''): unknown {
    if (typeof given === 'number') return this.#number(given, kind, field)
    if (typeof given === 'string') return this.#text(given, field)
    if (Array.isArray(given)) {
      const inner = field === 'ids' ? 'id' : field
      // A page of customers has them in `items`.
      const ofList = field === 'items' && kind === 'user' ? kind : kindOfList[field]
      return given.map((item) => this.value(item, ofList ?? kind, inner))
    }
    if (typeof given !== 'object' || given === null) return given
    return this.#object(given as Fields, kind, field)
  }

  #object(given: Fields, kind: string, field: string): unknown {
    const entries = Object.entries(given).filter(([, value]) => value !== undefined)
    // What has no schema comes in the order of whoever stored it.
    if (field === 'details' || field === 'price_steps') entries.sort(([a], [b]) => (a < b ? -1 : 1))
    const inner = typeof given.action === 'string' ? (kindOfAction[given.action] ?? '') : kind
    const own = field === 'item' ? (kindOfItem[String(given.type)] ?? kind) : kind
    return Object.fromEntries(
      entries.map(([name, value]) => [
        name,
        this.value(value, name === 'details' ? inner : own, this.#calledAs(name, given, field)),
      ]),
    )
  }

  #calledAs(name: string, given: Fields, field: string): string {
    // By protocols.
    if (field === 'ports') return 'port'
    // Customers know a payment by its order.
    return name === 'payment_id' && given.link !== undefined ? 'order_id' : name
  }

  text(given: string): unknown {
    return this.#text(given, '')
  }

  #number(value: number, kind: string, field: string): unknown {
    const ofField = field === 'id' || field === 'before' ? kind : kindOf(field)
    if (ofField && value < missing) return this.#labels.id(ofField, value)
    if (field === 'port') return portValue(this.#labels, value)
    if (field === 'took_ms') return 'some'
    // How many revisions a change takes is a node's own affair.
    if (/^(desired|applied)_revision$/.test(field)) return value > 0 ? 'some' : 'none'
    return awgValue(this.#labels, field, value) ?? momentOf(value) ?? value
  }

  #text(value: string, field: string): unknown {
    if (literalFields.has(field) || (field === 'id' && /^\d+$/.test(value))) return value
    if (/^(search|login)$/.test(field) && /^\d+$/.test(value)) return this.#labels.id('user', value)
    if (field === 'id' && /^([\w-]{22}|[\w-]{43})$/.test(value)) return this.#labels.secret('bytes', value)
    if (/^(whsec_.+|evt_[0-9a-f]{32})$/.test(value)) return this.#labels.secret('event', value)
    if (field === 'secret') return mtprotoSecret(this.#labels, value)
    if (field === 'port') return String(portValue(this.#labels, Number(value)))
    const ofSecret = secretFields[field]
    const machine = /^slp-[0-9a-f]{8}-(\d+)$/.exec(value)?.[1]
    if (machine) return `slp-installation-${this.#labels.id('order', Number(machine))}`
    const placed = this.#places.reduce((text, [url, name]) => text.replaceAll(url, name), value)
    if (ofSecret && placed === value && !isWord(value, field)) return this.#labels.secret(ofSecret, value)
    if (/^[JSH][a-z0-9]+$/.test(field) && /^\d+$/.test(value))
      return awgValue(this.#labels, field, Number(value)) ?? value
    return normaliseText(this.#labels, placed, (inner) => this.value(inner, ''))
  }
}
