import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { TelegramWidget } from '@sallyport/contract/customer/auth-shapes'

/**
 * Who somebody is in Telegram, signed with the token of our bot, as https://core.telegram.org/widgets/login and
 * https://core.telegram.org/bots/webapps describe it.
 */
export interface TelegramData {
  readonly source: 'widget' | 'mini_app'
  /** Everything that was received, but the hash. */
  readonly fields: ReadonlyMap<string, string>
  readonly hash: string
}

export interface TelegramPerson {
  readonly id: number
  readonly isBot: boolean
  readonly signedAt: number
  /** What the link that opened the Mini App carried. */
  readonly startParam: string | undefined
}

/** The public part of a bot's token; null when it is none that Telegram gave. */
export const botIdIn = (botToken: string): number | null => {
  const [, id] = /^([0-9]{1,15}):/.exec(botToken) ?? []
  return id === undefined ? null : Number(id)
}

const widgetFields = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date'] as const

/** Data of the widget lives for seconds on its way here; a Mini App shows its own as long as it is open. */
const maxAgeSeconds = { widget: 600, mini_app: 3600 } as const
const maxAheadSeconds = 60

export const readWidget = (widget: TelegramWidget): TelegramData => ({
  source: 'widget',
  fields: new Map(
    widgetFields.flatMap((name) => (widget[name] === undefined ? [] : [[name, String(widget[name])]])),
  ),
  hash: widget.hash,
})

/** Undefined when a field comes twice: each reader could believe another one of the two. */
export const readInitData = (initData: string): TelegramData | undefined => {
  const pairs = [...new URLSearchParams(initData)]
  const fields = new Map(pairs)
  const given = fields.get('hash')
  if (given === undefined || fields.size !== pairs.length) return undefined
  fields.delete('hash')
  return { source: 'mini_app', fields, hash: given }
}

const secretOf = (source: TelegramData['source'], botToken: string): Buffer =>
  source === 'widget'
    ? hash('sha256', botToken, 'buffer')
    : createHmac('sha256', 'WebAppData').update(botToken).digest()

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1)

/** True when Telegram signed exactly these fields for this bot. */
export const isSignedFor = (botToken: string, { source, fields, hash: given }: TelegramData): boolean => {
  const lines = [...fields].sort(byName).map((field) => field.join('='))
  // Fields are joined by line breaks, so one with a break in it could pass for two; Telegram sends none.
  if (lines.some((line) => line.includes('\n')) || !/^[0-9a-f]{64}$/.test(given)) return false
  const right = createHmac('sha256', secretOf(source, botToken)).update(lines.join('\n')).digest()
  return timingSafeEqual(right, Buffer.from(given, 'hex'))
}

const readUser = (text: string): { id?: unknown; is_bot?: unknown } => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Whoever the data speaks of, believed or not; undefined when it names nobody. */
export const personIn = ({ source, fields }: TelegramData): TelegramPerson | undefined => {
  const user = source === 'widget' ? { id: Number(fields.get('id')) } : readUser(fields.get('user') ?? '')
  const signedAt = /^[0-9]{1,12}$/.test(fields.get('auth_date') ?? '') ? Number(fields.get('auth_date')) : 0
  if (typeof user.id !== 'number' || !Number.isSafeInteger(user.id) || user.id < 1) return undefined
  const isBot = 'is_bot' in user && user.is_bot === true
  return { id: user.id, isBot, signedAt, startParam: fields.get('start_param') }
}

/** The last second in which data signed then is believed. */
export const lastSecondOf = (source: TelegramData['source'], signedAt: number): number =>
  signedAt + maxAgeSeconds[source]

export const isFresh = (source: TelegramData['source'], signedAt: number, now: number): boolean =>
  signedAt <= now + maxAheadSeconds && now <= lastSecondOf(source, signedAt)
