import { appProtocols } from '../../apps/app.ts'
import { catalogue } from '../../apps/catalogue.ts'
import type { PageEntry, PageState, PageView, Quota } from '../state.ts'

/** A subscription like many, for the tests of pages. */

export const key = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'
const gigabyte = 1024 ** 3
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
  title: 'Опция',
  usedBytes: 38.4 * gigabyte,
  limitBytes: 100 * gigabyte,
  refillsAt: now + 12 * day,
}

export const active: PageState = {
  title: 'Мой VPN',
  address: `https://vpn.example.com/sub/${key}`,
  status: 'active',
  expiresAt: now + 23 * day + 3600,
  usedBytes: 38.4 * gigabyte,
  quotas: [quota],
  hasUnlimited: false,
  needsHwid: false,
  entries: entriesOf(10),
  cabinetUrl: 'https://vpn.example.com/',
  supportUrl: 'https://t.me/example_support',
  now,
}

export const view: PageView = { language: 'ru', platform: 'android', apps: catalogue }
