import { expect, test } from 'vitest'
import type { Bridge } from './bridge.ts'
import { openThrough, payThrough } from './links.ts'

const telegram = () => {
  const posted: unknown[] = []
  const heard = new Map<string, (data: Readonly<Record<string, unknown>>) => void>()
  const bridge: Bridge = {
    post: (type, data) => posted.push([type, data]),
    on: (type, told) => heard.set(type, told),
  }
  return { bridge, posted, send: (type: string, data: object) => heard.get(type)?.({ ...data }) }
}

test.each([
  ['https://pay.example.com/a?b=1#c', 'web_app_open_link', { url: 'https://pay.example.com/a?b=1#c' }],
  [
    'https://vpn.example.com/open/happ#key',
    'web_app_open_link',
    { url: 'https://vpn.example.com/open/happ#key' },
  ],
  ['https://t.me/support?start=1', 'web_app_open_tg_link', { path_full: '/support?start=1' }],
])('%s is opened by %s', (url, type, data) => {
  const { bridge, posted } = telegram()
  openThrough(bridge, url)
  expect(posted).toEqual([[type, data]])
})

test.each([
  'https://t.me/$abc_DEF-1=',
  'https://t.me/invoice/abc_DEF-1=',
])('%s is paid as an invoice', async (url) => {
  const { bridge, posted, send } = telegram()
  const paid = payThrough(bridge, url)
  expect(posted).toEqual([['web_app_open_invoice', { slug: 'abc_DEF-1=' }]])
  send('invoice_closed', { slug: 'another', status: 'failed' })
  send('invoice_closed', { slug: 'abc_DEF-1=', status: 'paid' })
  expect(await paid).toBe('paid')
})

test('what Telegram calls otherwise is not known to have ended', async () => {
  const { bridge, send } = telegram()
  const paid = payThrough(bridge, 'https://t.me/$abc')
  send('invoice_closed', { slug: 'abc', status: 'new word' })
  expect(await paid).toBe('pending')
})

test('any other payment is made outside', async () => {
  const { bridge, posted } = telegram()
  expect(await payThrough(bridge, 'https://pay.example.com/1')).toBe('left')
  expect(posted).toEqual([['web_app_open_link', { url: 'https://pay.example.com/1' }]])
})
