import { inflateSync } from 'node:zlib'
import type { Labels } from './labels.ts'

/** Texts without what differs from run to run: share links, client configurations, messages. */

/** Where the clock of the tests begins. */
export const beginning = 1_800_000_000

/** Seconds since the clock's start, for numbers that can be nothing but a moment of this life. */
export const momentOf = (value: number): string | undefined => {
  const offset = value - beginning
  if (!Number.isSafeInteger(value) || Math.abs(offset) > 5 * 366 * 86_400) return undefined
  return offset < 0 ? `T${offset}` : `T+${offset}`
}

/** What the service draws for a new AmneziaWG interface; the script chooses outside of it. */
const drawn: Readonly<Record<string, readonly [least: number, most: number]>> = {
  jc: [3, 10],
  jmin: [40, 80],
  jmax: [60, 160],
  s1: [15, 150],
  s2: [15, 150],
  s3: [5, 60],
  s4: [0, 30],
}

const mostDrawnHeader = 2_147_483_647

/** Undefined for fields that are none of an AmneziaWG interface. */
export const awgValue = (labels: Labels, field: string, value: number): string | number | undefined => {
  const name = field.toLowerCase()
  if (/^h[1-4]$/.test(name)) return value > mostDrawnHeader ? value : labels.secret('header', String(value))
  const range = drawn[name]
  if (!range) return undefined
  return value >= range[0] && value <= range[1] ? 'drawn' : value
}

/** Ports that the service draws; those that somebody chose stay. */
export const portValue = (labels: Labels, port: number): string | number =>
  port >= 10_000 && port < 30_000 ? labels.id('port', port) : port

const kindOfWallet = /\b(of) (\d+)$/g
const subject =
  /\b(user|order|receipt|refund|withdrawal|promocode|alert|node|server|event|config|rule|operator|term):(\d+)\b/g

type Piece = readonly [find: RegExp, put: (labels: Labels, match: string, ...groups: string[]) => string]

/** In this order: what was put in place of one is not looked at again, because names are no matches. */
const pieces: readonly Piece[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]+?-----END [A-Z ]+-----\n?/g, (labels, pem) => labels.secret('pem', pem)],
  // Encrypted anew each time, for somebody else to read.
  [/(?<=happ:\/\/crypt4\/)[0-9A-Za-z+/]{683}=/g, () => '684 characters'],
  [/(?<=\/pay\/)[0-9A-Za-z]{22}\b/g, (labels, payment) => labels.secret('payment', payment)],
  [/(?<=\/console\/sign-in#)[0-9A-Za-z]{43}\b/g, (labels, token) => labels.secret('token', token)],
  [/(?<=\/once#)[0-9A-Za-z]{27}\b/g, (labels, key) => labels.secret('code', key)],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, (labels, token) => labels.secret('token', token)],
  [/\bsl[po]_[0-9A-Za-z]{8}_[0-9A-Za-z]{24}\b/g, (labels, token) => labels.secret('token', token)],
  [/(?<=[?&]port=)\d+/g, (labels, port) => String(portValue(labels, Number(port)))],
  [
    /\b(?!00000000-)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
    (labels, uuid) => labels.secret('uuid', uuid),
  ],
  [/(?<=:\/\/|(?<![\w+/-]))[A-Za-z0-9+/]{43}=(?!\w)/g, (labels, key) => labels.secret('key', key)],
  [/(?<![\w#+-])[\w-]{43}(?![\w=-])/g, (labels, key) => labels.secret('key', key)],
  [/(?<![\w#-])([A-Z0-9]{4}-){1,3}[A-Z0-9]{4}(?![\w-])/g, (labels, code) => labels.secret('code', code)],
  [
    /(?<![\w#])(?=\w*[A-Z])(?=\w*[a-z])[0-9A-Za-z]{32}(?!\w)/g,
    (labels, key) => labels.secret('subscription', key),
  ],
  [/\b[A-Z0-9]{4}(-••••)+-[A-Z0-9]{4}\b/g, () => 'XXXX-••••-••••-XXXX'],
  [/(?<![\w#])u?[0-9a-f]{12,}(?!\w)/g, (labels, hex) => labels.secret('hex', hex)],
  [
    /\b100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+\b(?!\/10)/g,
    (labels, host) => labels.id('tunnel', host),
  ],
  [subject, (labels, _all, kind, id) => `${kind}:${labels.id(kind ?? '', id ?? '')}`],
  // A configuration without a title is called by its location and number.
  [/(?<=\p{L} · )\d+$/gu, (labels, id) => labels.id('config', id)],
  [/(?<=\/bridges\/)\d+/g, (labels, id) => labels.id('bridge', id)],
  [/(?<=\/payments\/)\d+/g, (labels, id) => labels.id('order', id)],
  [/(?<=[Зз]аказ[а-я]* № )\d+/g, (labels, id) => labels.id('order', id)],
  [/(?<=аккаунт[а-я]* № )\d+/g, (labels, id) => labels.id('user', id)],
  [/(?<=№ )\d+/g, (labels, id) => labels.id('config', id)],
  [/(?<=\border )\d+/g, (labels, id) => labels.id('order', id)],
  [/(?<=\baccount )\d+/g, (labels, id) => labels.id('user', id)],
  [/(?<=\b(?:configuration|[Cc]onnection) )\d+/g, (labels, id) => labels.id('config', id)],
  [kindOfWallet, (labels, _all, of, id) => `${of} ${labels.id('user', id ?? '')}`],
  [/(?<=[\w\]]:)(\d{5})(?![\w.])/g, (labels, port) => String(portValue(labels, Number(port)))],
  [/\b1[78]\d{8}\b/g, (_labels, moment) => momentOf(Number(moment)) ?? moment],
]

/** ee, 16 bytes, and the domain that is fronted, all in hex. */
export const mtprotoSecret = (labels: Labels, text: string): string =>
  `ee{${labels.secret('hex', text.slice(2, 34))}}{${Buffer.from(text.slice(34), 'hex')}}`

const plain = (labels: Labels, text: string): string =>
  pieces.reduce(
    (shown, [find, put]) => shown.replaceAll(find, (match, ...groups) => put(labels, match, ...groups)),
    labels.hide(text.replaceAll(/(.)\1{99,}/g, (run, one) => `${one}×${run.length}`)),
  )

const awgLine = /^([JSH][a-z0-9]+)( = )(\d+)$/gm

const confText = (labels: Labels, text: string): string =>
  text.replaceAll(awgLine, (line, field: string, is: string, value: string) => {
    const shown = awgValue(labels, field, Number(value))
    return shown === undefined ? line : `${field}${is}${shown}`
  })

/** Qt's qCompress: four bytes of length, then zlib. */
const amneziaProfile = (link: string): unknown =>
  JSON.parse(inflateSync(Buffer.from(link.slice('vpn://'.length), 'base64url').subarray(4)).toString())

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Outline's links have their method and password in Base64. */
const openedUser = (link: string): string =>
  link.replace(
    /^ss:\/\/([A-Za-z0-9_-]+)@/,
    (_all, user: string) => `ss://{${Buffer.from(user, 'base64url')}}@`,
  )

/** Telegram's links have a secret and a domain in one. */
const openedSecret = (labels: Labels, link: string): string =>
  link.replace(/(?<=^tg:.*[?&]secret=)[0-9a-f]+/, (secret) => mtprotoSecret(labels, secret))

const isLink = (text: string): boolean =>
  /^(vless|trojan|ss|hysteria2|wireguard|tg|http|socks5):\/\//.test(text)

/** Long texts are told once, under a name; where one comes again the name says that it is the same. */
const longLength = 200

/** What a text is to be compared by. */
export const normaliseText = (labels: Labels, text: string, inside: (value: unknown) => unknown): unknown => {
  const known = labels.known(text)
  if (known) return known
  if (isLink(text)) return plain(labels, openedSecret(labels, decoded(openedUser(text))))
  const told = openedText(labels, text, inside)
  if (typeof told === 'string' || text.length < longLength) return told
  return { [labels.secret(kindOf(text), text)]: told }
}

const kindOf = (text: string): string => {
  if (text.startsWith('vpn://')) return 'profile'
  return /^\{\s*"/.test(text) ? 'json' : 'text'
}

const openedText = (labels: Labels, text: string, inside: (value: unknown) => unknown): unknown => {
  const kind = kindOf(text)
  if (kind === 'profile') return inside(amneziaProfile(text))
  if (kind === 'json') return jsonText(text, inside)
  const shown = plain(labels, confText(labels, text))
  return shown.includes('\n') ? shown.split('\n') : shown
}

/** JSON in a text: what it says, and how it is laid out where that is not the shortest way. */
const jsonText = (text: string, inside: (value: unknown) => unknown): unknown => {
  const value: unknown = JSON.parse(text)
  if (JSON.stringify(value) === text) return inside(value)
  const isLaidOut = JSON.stringify(value, null, 2) === text
  return { [isLaidOut ? 'laid out' : 'as written']: inside(value) }
}
