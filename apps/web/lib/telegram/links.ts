import type { PaymentEnd } from '../outside.ts'
import type { Bridge } from './bridge.ts'

/** What leads out of a Mini App. */

const invoiceIn = ({ hostname, pathname }: URL): string | undefined =>
  hostname === 't.me' ? /^\/(?:\$|invoice\/)([\w=-]+)$/.exec(pathname)?.[1] : undefined

export const openThrough = (bridge: Bridge, url: string): void => {
  const { hostname, pathname, search, href } = new URL(url)
  if (hostname === 't.me') bridge.post('web_app_open_tg_link', { path_full: pathname + search })
  else bridge.post('web_app_open_link', { url: href })
}

const ends: readonly unknown[] = ['paid', 'pending', 'cancelled', 'failed'] satisfies PaymentEnd[]

export const payThrough = (bridge: Bridge, url: string): Promise<PaymentEnd> => {
  const slug = invoiceIn(new URL(url))
  if (slug === undefined) {
    openThrough(bridge, url)
    return Promise.resolve('left')
  }
  bridge.post('web_app_open_invoice', { slug })
  return new Promise((resolve) => {
    bridge.on('invoice_closed', (data) => {
      if (data.slug === slug) resolve(ends.includes(data.status) ? (data.status as PaymentEnd) : 'pending')
    })
  })
}
