import { describe, expect, test } from 'vitest'
import * as endpoints from '../render/testing/endpoints.ts'
import { problemsOf } from './added-app.ts'
import { appProtocolOf } from './app.ts'
import { catalogue } from './app-catalogue.ts'
import { importLink } from './import-link.ts'

const subscription = {
  url: 'https://vpn.example.com/sub/aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  title: 'Мой VPN & друзья',
}
const U = subscription.url
const E = 'https%3A%2F%2Fvpn.example.com%2Fsub%2FaB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'
const N = '%D0%9C%D0%BE%D0%B9%20VPN%20%26%20%D0%B4%D1%80%D1%83%D0%B7%D1%8C%D1%8F'
const B = 'aHR0cHM6Ly92cG4uZXhhbXBsZS5jb20vc3ViL2FCM2RFNWZHN2hKOWtMMW1OM3BRNXJTN3RVOXZXMXhZ'

/** Every app of the catalogue stands here, so that a new one is looked at by whoever adds it. */
const golden: Record<string, string | null> = {
  happ: `happ://add/${U}`,
  incy: `incy://add/${U}`,
  v2raytun: `v2raytun://import/${U}`,
  v2rayng: `v2rayng://install-sub?url=${E}#${N}`,
  hiddify: `hiddify://import/${U}#${N}`,
  streisand: `streisand://import/${U}`,
  shadowrocket: `shadowrocket://add/sub://${B}?remark=${N}`,
  'sing-box': `sing-box://import-remote-profile?url=${E}#${N}`,
  'clash-verge': `clash-verge://install-config?name=${N}&url=${E}`,
  'clash-meta': `clashmeta://install-config?name=${N}&url=${E}`,
  flclash: `flclash://install-config?url=${E}`,
  flclashx: `flclashx://install-config?url=${E}`,
  karing: `karing://install-config?name=${N}&hwid=true&url=${E}`,
  throne: `throne://addsub/?url=${E}&name=${N}`,
  stash: `stash://install-config?url=${E}`,
  'koala-clash': `koala-clash://install-config?url=${E}`,
  'prizrak-box': `prizrak-box://install-config?url=${E}`,
  exclave: `exclave://subscription?url=${E}`,
  v2box: `v2box://install-sub?url=${E}&name=${N}`,
  'amnezia-vpn': null,
  amneziawg: null,
  wireguard: null,
  outline: null,
  telegram: null,
}

test.each(catalogue.map((app) => [app.id, app] as const))('the link of %s', (id, app) => {
  expect(importLink(app, subscription)).toBe(golden[id])
})

test('the golden links are those of the catalogue', () => {
  expect(catalogue.map(({ id }) => id).toSorted()).toEqual(Object.keys(golden).toSorted())
})

describe('traps', () => {
  const link = (id: string, title: string, url = U): string => {
    const app = catalogue.find((one) => one.id === id)
    return (app && importLink(app, { url, title })) ?? ''
  }

  test('Shadowrocket gets the ordinary alphabet of Base64, signs and padding included', () => {
    const url = 'https://vpn.example.com/sub/??>>~~'
    const base64 = /sub:\/\/(.*)\?remark/.exec(link('shadowrocket', 'x', url))?.[1] ?? ''
    expect(base64).toMatch(/[+/]/)
    expect(base64).toMatch(/=$/)
    expect(atob(base64)).toBe(url)
  })

  test('what is outside of Latin is Base64 of its UTF-8', () => {
    const base64 = /sub:\/\/(.*)\?remark/.exec(link('shadowrocket', 'x', 'https://пример.рф/sub/🙂'))?.[1]
    expect(base64).toBe(Buffer.from('https://пример.рф/sub/🙂').toString('base64'))
  })

  test('nothing follows the address where apps take the rest for it', () => {
    for (const id of ['clash-verge', 'clash-meta', 'karing'])
      expect(link(id, 'a&url=https://evil.example/')).toMatch(
        /name=a%26url%3D[^&]*(&hwid=true)?&url=https%3A[^&]*$/,
      )
  })

  test('a title that is no text, or looks like a placeholder, stays a title', () => {
    expect(link('v2rayng', '\ud83d')).toMatch(/#%EF%BF%BD$/)
    expect(link('hiddify', '{url}$&')).toMatch(/#%7Burl%7D%24%26$/)
  })
})

describe('the catalogue', () => {
  test.each(
    catalogue.map((app) => [app.id, app] as const),
  )('%s obeys the rules for added apps', (_id, app) => {
    const { opens: _opens, ...rest } = app
    expect(problemsOf(rest)).toEqual([])
    const places = app.stores.flatMap(({ platforms }) => platforms)
    expect(app.platforms).toEqual(expect.arrayContaining(places))
  })

  test('every protocol is carried by some app', () => {
    for (const endpoint of Object.values(endpoints)) {
      if (typeof endpoint !== 'object' || !('protocol' in endpoint)) continue
      const protocol = appProtocolOf(endpoint)
      expect(
        catalogue.filter(({ protocols }) => protocols.includes(protocol)).length,
        protocol,
      ).toBeGreaterThan(0)
    }
  })
})
