import { type Format, formats } from '@sallyport/domain/delivery/format'
import type { Customer } from '../seed.ts'

/** What is asked for, and how. */

export interface Wish {
  readonly name: string
  readonly format: Format | 'page'
  /** A device that is named, an app that names none, or somebody who is no device, as a browser. */
  readonly by: 'device' | 'app' | 'nobody'
  /** Over a connection of its own, as pages are. */
  readonly isAlone?: true
  /** Whether it is held to what is wanted. */
  readonly isJudged: boolean
}

const wish = (format: Format): Wish => ({ name: format, format, by: 'nobody', isJudged: true })

export const wishes: readonly Wish[] = [
  ...formats.map(wish),
  { ...wish('base64'), name: 'base64 to a device', by: 'device' },
  { ...wish('base64'), name: 'base64 to an app without x-hwid', by: 'app' },
  // People look at it once.
  { ...wish('base64'), name: 'page', format: 'page', isJudged: false },
  // What the page is to be compared with.
  { ...wish('base64'), name: 'base64 over a new connection', isAlone: true, isJudged: false },
]

const browser = {
  host: 'bench',
  'user-agent':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7',
  'accept-encoding': 'gzip, deflate, br, zstd',
}

/** As Go, OkHttp and Apple's own send it, and so most apps; the page as browsers do. */
export const headersOf = ({ by, format, isAlone }: Wish): Record<string, string> =>
  format === 'page'
    ? browser
    : {
        host: 'bench',
        'user-agent': 'v2rayNG/1.10.2',
        'accept-encoding': 'gzip',
        ...(by === 'device' && { 'x-hwid': 'bench-device' }),
        ...(by === 'nobody' && { accept: 'text/html' }),
        ...(isAlone && { connection: 'close' }),
      }

const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

const get = (path: string, headers: Record<string, string>, etag: string | undefined): string =>
  `GET ${path} HTTP/1.1\r\n${lines({ ...headers, ...(etag && { 'if-none-match': etag }) })}\r\n`

export const requestOf = ({ subscriptionKey }: Customer, wish: Wish, etag?: string): string =>
  get(`/sub/${subscriptionKey}?format=${wish.format}`, headersOf(wish), etag)

/** The same, of a route that knows its answers by their names. */
export const bareRequestOf = ({ subscriptionKey }: Customer, wish: Wish, etag?: string): string =>
  get(`/sub/${subscriptionKey}?format=${encodeURIComponent(wish.name)}`, headersOf(wish), etag)
