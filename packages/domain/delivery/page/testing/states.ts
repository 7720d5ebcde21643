import { appProtocols } from '../../apps/app.ts'
import { catalogue } from '../../apps/app-catalogue.ts'
import type { PageEntry, PageState, PageView, Quota, Thing } from '../state.ts'

/** A subscription like many, for the tests of pages. */

export const key = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'
const gigabyte = 1e9
const now = 1_794_787_200
const day = 86_400

const places = ['Нидерланды', 'Германия', 'Финляндия', 'США', 'Казахстан', 'Турция', 'Япония', 'Польша']
const usual = ['vless', 'vless', 'trojan', 'hysteria2', 'shadowsocks', 'vless', 'amneziawg'] as const

export const entriesOf = (count: number): PageEntry[] =>
  Array.from({ length: count }, (_, at) => ({
    item: at + 1,
    title: `${places[at % places.length]} #${1 + Math.floor(at / places.length)}`,
    protocol: usual[at % usual.length] as PageEntry['protocol'],
    isOnline: at % 6 !== 4,
  }))

export const entryOfEach: readonly PageEntry[] = appProtocols.map((protocol, at) => ({
  item: at + 1,
  title: protocol,
  protocol,
  isOnline: true,
}))

export const quota: Quota = {
  usedBytes: 38.4 * gigabyte,
  limitBytes: 100 * gigabyte,
  refillsAt: now + 12 * day,
}

export const option: Thing = {
  title: 'Опция',
  expiresAt: now + 23 * day + 3600,
  paused: null,
  quota,
  deviceLimit: 0,
}

/** Sold alone. */
export const config: Thing = {
  ...option,
  title: 'Нидерланды #1',
  expiresAt: now + 29 * day + 3600,
  quota: null,
}

export const active: PageState = {
  title: 'Мой VPN',
  address: `https://vpn.example.com/sub/${key}`,
  status: 'active',
  endedAt: null,
  things: [option],
  usedBytes: 38.4 * gigabyte,
  deviceLimit: 0,
  isClosed: false,
  needsHwid: false,
  entries: entriesOf(10),
  hidden: [],
  cabinetUrl: 'https://vpn.example.com/',
  supportUrl: 'https://t.me/example_support',
  now,
}

export const view: PageView = { language: 'ru', platform: 'android', apps: catalogue }
