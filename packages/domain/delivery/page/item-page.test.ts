import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../vpn/endpoint.ts'
import type { Platform } from '../apps/app.ts'
import { catalogue } from '../apps/app-catalogue.ts'
import { qrImage } from '../qr/png.ts'
import { wireguardConf } from '../render/conf.ts'
import { connectionUrl } from '../render/link.ts'
import * as endpoints from '../render/testing/endpoints.ts'
import { itemPage } from './item-page.ts'
import { notFoundPage, refusedPage } from './notice-page.ts'
import { canBeOpened, type OpenedApp, openPage } from './open-page.ts'
import { pageHashes } from './policy.ts'
import { openScript } from './script.ts'
import { key, view } from './testing/states.ts'
import { readPage, wordsOf } from './testing/strict-html.ts'

const item = (endpoint: Endpoint, platform: Platform = 'android', isOnline = true): string =>
  itemPage({ item: 7, endpoint, isOnline }, { ...view, platform })

const picture = (document: string) => readPage(document).tags.find(({ name }) => name === 'img')?.attributes
const hrefs = (document: string) => readPage(document).tags.flatMap(({ attributes }) => attributes.href ?? [])
const copied = (document: string) => {
  const { tags } = readPage(document)
  const field = tags.find(({ name }) => name === 'input' || name === 'textarea')
  return field?.name === 'input'
    ? field.attributes.value
    : readPage(document).texts.find((text) => /^\w+:\/\//.test(text))
}

const { vless, amnezia, wireguard, outline, mtproto, socks5, shadowsocks2022 } = endpoints

test.each(
  Object.entries(endpoints).flatMap(([name, endpoint]) =>
    typeof endpoint === 'object' && 'protocol' in endpoint ? [[name, endpoint] as const] : [],
  ),
)('the link of %s can be copied and scanned, and leads back', (_name, endpoint) => {
  const document = item(endpoint)
  expect(copied(document)).toBe(connectionUrl(endpoint))
  const text = endpoint.protocol === 'wireguard' ? wireguardConf(endpoint) : connectionUrl(endpoint)
  expect(picture(document)?.src).toBe(qrImage(text)?.src)
  expect(hrefs(document)).toContain('?format=page')
  expect(readPage(document).tags.filter(({ name }) => name === 'h1').length).toBe(1)
})

test("WireGuard's kin come as a file, the others as text", () => {
  expect(hrefs(item(wireguard))).toContain('?format=conf&item=7')
  expect(hrefs(item(amnezia))).toContain('?format=conf&item=7')
  expect(hrefs(item(vless))).toContain('?format=links&item=7')
})

test('what no camera reads gets no code, and says so', () => {
  const long = { ...vless, title: 'я'.repeat(120) }
  const document = item(long)
  expect(picture(document)).toBeUndefined()
  expect(wordsOf(document)).toContain('камера телефона его не прочтёт')
  expect(hrefs(document)).toContain('?format=links&item=7')
})

describe('opened by a tap where an app answers to the link', () => {
  const opens = (endpoint: Endpoint, platform: Platform) =>
    hrefs(item(endpoint, platform)).find((href) => /^\w+:\/\//.test(href))

  test.each<[string, Endpoint, Platform, string | undefined]>([
    ['Outline everywhere', outline, 'ios', connectionUrl(outline)],
    ['MTProto by Telegram', mtproto, 'windows', connectionUrl(mtproto)],
    [
      'SOCKS5 by Telegram',
      socks5,
      'ios',
      'tg://socks?server=203.0.113.10&port=1080&user=u%201&pass=p%40%3A%2F',
    ],
    ['AmneziaWG on Android', amnezia, 'android', connectionUrl(amnezia)],
    ['AmneziaWG not on an iPhone', amnezia, 'ios', undefined],
    ['a Shadowsocks of 2022 not by Outline', shadowsocks2022, 'ios', undefined],
    ['VLESS by none', vless, 'android', undefined],
  ])('%s', (_name, endpoint, platform, href) => {
    expect(opens(endpoint, platform)).toBe(href)
  })
})

test('it names apps that can scan it', () => {
  expect(wordsOf(item(vless, 'windows'))).toContain('Подойдёт: Happ, INCY, v2RayTun, v2rayNG.')
  expect(wordsOf(item(wireguard, 'ios'))).toContain('Подойдёт: AmneziaWG, AmneziaVPN, WireGuard.')
  expect(wordsOf(item(mtproto, 'ios'))).toContain('Подойдёт: Telegram.')
})

test('a server that does not answer says so', () => {
  expect(wordsOf(item(vless, 'ios', false))).toContain('Сервер сейчас не отвечает')
})

describe('the page that opens an app', () => {
  const app = catalogue.find(({ id }) => id === 'karing') as OpenedApp
  const document = openPage(app, {
    language: 'ru',
    platform: 'ios',
    addressBase: 'https://vpn.example.com/sub/',
    title: 'Мой VPN',
  })

  /** Runs the script as a browser would, with the little of a page that it asks for. */
  const run = (hash: string) => {
    const { attributes } = readPage(document).tags.find((tag) => tag.attributes.id === 'go') as {
      attributes: Record<string, string>
    }
    const dataset = {
      template: attributes['data-template'],
      base: attributes['data-base'],
      name: attributes['data-name'],
    }
    const go = { dataset, href: '' }
    const [ready, bad, lang] = [{ hidden: true }, { hidden: true }, { hash: '' }]
    const parts: Record<string, object> = { go, ready, bad, lang }
    const browser = { getElementById: (id: string) => parts[id] }
    new Function('document', 'location', `let onhashchange;${openScript}`)(browser, { hash })
    return { go, ready, bad, lang }
  }

  test('holds no link and no key until its script has made them', () => {
    expect(document).not.toContain('karing://install-config?name=%')
    expect(readPage(document).raw.script).toBe(openScript)
    expect(pageHashes.openScript).toMatch(/^'sha256-/)
    expect(wordsOf(document)).toContain('Включите JavaScript')
  })

  test('makes the very link of the catalogue of what stands after "#"', () => {
    const { go, ready, bad, lang } = run(`#${key}`)
    expect(go).toMatchObject({
      href: `karing://install-config?name=%D0%9C%D0%BE%D0%B9%20VPN&hwid=true&url=https%3A%2F%2Fvpn.example.com%2Fsub%2F${key}`,
    })
    expect([ready.hidden, bad.hidden]).toEqual([false, true])
    expect(lang.hash).toBe(key)
  })

  test.each([
    '',
    '#',
    '#short',
    '#../../evil',
    `#${key}?x=1`,
    '#javascript:alert(1)',
    `#${'a'.repeat(65)}`,
  ])('makes nothing of %j', (hash) => {
    const { go, ready, bad } = run(hash)
    expect(go.href).toBe('')
    expect([ready.hidden, bad.hidden]).toEqual([true, false])
  })

  test('leads to the stores of the visitor, or to all', () => {
    expect(hrefs(document).filter((href) => href.startsWith('https'))).toEqual([
      'https://apps.apple.com/app/id6472431552',
    ])
    const unknown = openPage(app, { language: 'en', platform: undefined, addressBase: '', title: '' })
    expect(hrefs(unknown).filter((href) => href.startsWith('https')).length).toBe(app.stores.length)
  })

  test('is there for apps that take subscriptions', () => {
    expect(catalogue.filter((one) => !canBeOpened(one)).map(({ id }) => id)).toEqual([
      'amneziawg',
      'amnezia-vpn',
      'wireguard',
      'outline',
      'telegram',
    ])
  })
})

describe('pages without a subscription', () => {
  const links = { cabinetUrl: 'https://vpn.example.com/', supportUrl: 'https://t.me/example_support' }

  test.each(['limit', 'blocked', 'unknown', 'no_hwid'] as const)('refused: %s', (reason) => {
    for (const language of ['ru', 'en'] as const) {
      const document = refusedPage(reason, links, language)
      expect(hrefs(document)).toEqual(expect.arrayContaining(Object.values(links)))
      expect(document).toContain(`<html lang="${language}">`)
    }
  })

  test('a key that opens nothing', () => {
    expect(wordsOf(notFoundPage(links, 'ru'))).toContain('Ссылка не работает')
    expect(wordsOf(notFoundPage(links, 'en'))).toContain('This link does not work')
    expect(hrefs(notFoundPage(links, 'en'))).toContain('?lang=ru')
  })
})
