import { describe, expect, test } from 'vitest'
import { problemsOf } from './added-app.ts'
import type { App } from './app.ts'
import { catalogue } from './app-catalogue.ts'
import { arrangeApps } from './arrange.ts'
import { appsFor, fewOf, leftOutBy, storesFor } from './choose.ts'

const own: App = {
  id: 'our-app',
  name: 'Our app',
  platforms: ['android'],
  stores: [{ name: 'Site', url: 'https://vpn.example.com/app.apk', platforms: ['android'] }],
  importTemplate: 'ourapp://add?name={name}&url={encodedUrl}',
  formats: ['base64'],
  protocols: ['vless'],
  hwid: 'always',
  checkedOn: '2026-11-16',
}
const nothing = { order: [], hidden: [], added: [] }
const ids = (apps: readonly App[]) => apps.map(({ id }) => id)

test('as it is, nothing changes', () => {
  expect(arrangeApps(catalogue, nothing)).toEqual({ apps: catalogue, problems: [] })
})

test('an operator reorders, hides and adds', () => {
  const { apps, problems } = arrangeApps(catalogue.slice(0, 5), {
    order: ['v2rayng', 'incy'],
    hidden: ['happ'],
    added: [own],
  })
  expect(problems).toEqual([])
  expect(ids(apps)).toEqual(['v2rayng', 'incy', 'our-app', 'v2raytun', 'streisand'])
})

test('faulty apps are left out and told of; so are names of no app', () => {
  const added = [
    own,
    own,
    { ...own, id: 'happ' },
    { ...own, id: 'bad', importTemplate: 'javascript://%0aalert({url})' },
  ]
  const { apps, problems } = arrangeApps(catalogue, { order: ['bad', 'nobody'], hidden: ['who'], added })
  expect(ids(apps)).toEqual(['our-app', ...ids(catalogue)])
  expect(problems.map(({ path }) => path)).toEqual([
    'added.1.id',
    'added.2.id',
    'added.3.importTemplate',
    'order.1',
    'hidden.0',
  ])
})

describe('what an added app may not be', () => {
  const evil = [
    'javascript:alert({url})',
    'javascript://%0aalert({url})',
    'JavaScript://{url}',
    ' javascript://{url}',
    'java\nscript://{url}',
    'data:text/html,{url}',
    'data://{url}',
    'vbscript://{url}',
    'https://evil.example/?u={encodedUrl}',
    'http://evil.example/{url}',
    'intent://x#Intent;scheme=http;S.browser_fallback_url={encodedUrl};end',
    'file:///etc/{url}',
    'blob://{url}',
    '//evil.example/{url}',
    'app:{url}',
    'a://{url}',
    'app://{url}" onclick="x',
    "app://{url}'",
    'app://<{url}>',
    'app://{url} x',
    'app://{url}\u202e',
    'app://{unknown}{url}',
    'app://{constructor}{url}',
    'app://{url}}',
    'app://add',
    'app://{name}',
    '',
  ]
  test.each(evil)('the template %j', (importTemplate) => {
    expect(problemsOf({ ...own, importTemplate }).map(({ path }) => path)).toEqual(['importTemplate'])
  })

  test.each([
    'ourapp://add/{url}',
    'our-app+x.1://{base64Url}?a=b#{name}',
    'oa://x/?u={encodedUrl}',
  ])('but may have the template %j', (importTemplate) => {
    expect(problemsOf({ ...own, importTemplate })).toEqual([])
  })

  const store = own.stores[0] as App['stores'][number]
  test.each([
    ['id', { id: 'Our App' }],
    ['id', { id: '../happ' }],
    ['name', { name: '' }],
    ['name', { name: 'a\nb' }],
    ['name', { name: '\u202eppA' }],
    ['name', { name: 'x'.repeat(41) }],
    ['platforms', { platforms: [] }],
    ['platforms', { platforms: ['symbian'] as unknown as App['platforms'] }],
    ['platforms', { platforms: ['ios', 'ios'] as const }],
    ['stores.0.url', { stores: [{ ...store, url: 'javascript:alert(1)' }] }],
    ['stores.0.url', { stores: [{ ...store, url: 'data:text/html,x' }] }],
    ['stores.0.url', { stores: [{ ...store, url: 'https://store.example@evil.example/' }] }],
    ['stores.0.url', { stores: [{ ...store, url: '/relative' }] }],
    ['stores.0.region', { stores: [{ ...store, region: 'mars' as 'ru' }] }],
    ['stores.0.publisher', { stores: [{ ...store, publisher: '\u0000' }] }],
    ['stores', { stores: Array.from({ length: 13 }, () => store) }],
    ['opens', { opens: { scheme: 'javascript', platforms: ['ios'] } as const }],
    ['formats', { formats: ['pdf'] as unknown as App['formats'] }],
    ['protocols', { protocols: [] }],
    ['hwid', { hwid: 'sometimes' as App['hwid'] }],
    ['checkedOn', { checkedOn: '2026-02-30' }],
    ['checkedOn', { checkedOn: 'today' }],
  ] as const)('%s of %j', (path, fields) => {
    expect(problemsOf({ ...own, ...fields }).map((one) => one.path)).toEqual([path])
  })

  test('problems say what is wrong', () => {
    expect(problemsOf({ ...own, importTemplate: 'app://{key}/{url}' })).toEqual([
      { path: 'importTemplate', problem: '{key} is not one of {url} {encodedUrl} {base64Url} {name}' },
    ])
  })
})

describe('which apps are offered', () => {
  const offered = (protocols: Parameters<typeof appsFor>[1]['protocols'], needsHwid = false) =>
    ids(appsFor(catalogue, { platform: 'android', protocols, needsHwid }))

  test('nobody is sent to an app that carries none of it', () => {
    expect(offered(['amneziawg'])).toEqual(['flclashx', 'flclash', 'clash-meta', 'amneziawg', 'amnezia-vpn'])
    expect(offered(['mtproto'])).toEqual(['telegram'])
    expect(offered(['vless'])).not.toContain('wireguard')
    expect(offered(['shadowsocks'])).not.toContain('outline')
  })

  test('where devices are limited, apps that name theirs, and those that fetch nothing', () => {
    expect(offered(['vless'], true)).toEqual(['happ', 'incy', 'v2raytun', 'karing', 'flclashx'])
    expect(offered(['wireguard'], true)).toContain('wireguard')
  })

  test('with nothing known all of the platform', () => {
    expect(offered([]).length).toBe(catalogue.filter(({ platforms }) => platforms.includes('android')).length)
  })

  test('a few are the first, and with them whatever carries the rest', () => {
    const few = (protocols: Parameters<typeof fewOf>[1]) =>
      ids(fewOf(appsFor(catalogue, { platform: 'ios', protocols, needsHwid: false }), protocols, 3))
    expect(few(['vless'])).toEqual(['happ', 'incy', 'v2raytun'])
    expect(few(['vless', 'mtproto'])).toEqual(['happ', 'incy', 'telegram'])
    expect(few(['vless', 'amneziawg', 'mtproto'])).toEqual(['happ', 'amneziawg', 'telegram'])
    expect(few([])).toEqual(['happ', 'incy', 'v2raytun'])
  })

  test('what an app leaves out, and where it is had', () => {
    const happ = catalogue[0] as App
    expect(leftOutBy(happ, ['vless', 'amneziawg', 'mtproto', 'amneziawg'])).toEqual(['amneziawg', 'mtproto'])
    expect(storesFor(happ, 'ios').map(({ region, publisher }) => [region, publisher])).toEqual([
      ['ru', undefined],
      ['abroad', 'Flyfrog LLC'],
    ])
  })
})
