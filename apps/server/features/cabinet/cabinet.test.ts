import { hash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { paletteOf } from '@sallyport/domain/brand/palette'
import type { PageData } from '@sallyport/domain/cabinet/page-data'
import { type CabinetPage, type CabinetPath, cabinetPages } from '@sallyport/domain/cabinet/pages'
import { cabinetReads } from '@sallyport/domain/cabinet/reads'
import Fastify from 'fastify'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildCabinet, contentOf } from '../../../../test/support/cabinet-build.ts'
import { openLimiter } from '../../../../test/support/service.ts'
import { MemoryLimiter } from '../../adapters/limits/memory-limiter.ts'
import type { CabinetSettings } from '../../core/cabinet/cabinet-settings.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { CabinetBuild } from './build.ts'
import { readRequest } from './requests.ts'
import { cabinetRoutes, pageLimit } from './routes.ts'

const built = buildCabinet()
afterAll(() => built.remove())

const usual: CabinetSettings = {
  name: 'Тихая гавань',
  supportUrl: 'https://t.me/harbour',
  accent: '#0b6e5f',
  palette: paletteOf('#0b6e5f'),
  welcome: { ru: 'Добро пожаловать', en: 'Welcome' },
  rules: { ru: 'Не шалить', en: null },
  mirrors: ['https://one.example', 'https://two.example:8443'],
  closesConnections: false,
  logo: { type: 'image/png', bytes: Buffer.from('a logo'), etag: '"logo-1"' },
  version: 1,
}

let settings = usual
const decide = (given: Partial<CabinetSettings>): void => {
  const palette = given.accent === undefined ? usual.palette : paletteOf(given.accent)
  settings = { ...usual, palette, ...given, version: settings.version + 1 }
}

const wholeBuild = new CabinetBuild(built.folder)
const serve = (build: CabinetBuild | undefined, limiter: Limiter) => {
  const app = Fastify()
  const now = async () => settings
  cabinetRoutes(app, {
    build,
    settings: { latest: now, lastSeen: now },
    limiter,
    clock: { now: () => 1_800_000_000 },
    publicUrl: () => 'https://vpn.example.com',
  })
  return app
}
const app = serve(wholeBuild, openLimiter)
afterAll(() => app.close())

beforeEach(() => decide({}))

const session = '__Host-sallyport-cabinet=secret'
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const hrefs = (page: string, rel: string) =>
  [...page.matchAll(new RegExp(`<link rel="${rel}"[^>]* href="([^"]*)"`, 'g'))].map(([, href]) => href)

const pages: readonly CabinetPage[] = cabinetPages
const dataIn = (page: string): PageData =>
  JSON.parse(/<script type="application\/json" id="page">(.*)<\/script><\/body>/s.exec(page)?.[1] ?? '')

/** An address of each page. */
const addressOf = (path: string) => path.replaceAll(/:\w+/g, '17')

describe('every page', () => {
  test.each(pages)('$path', async ({ path, screen }) => {
    const reads = cabinetReads[path as CabinetPath] ?? []
    const { statusCode, headers, body } = await get(addressOf(path), {
      cookie: session,
      'accept-language': 'en',
    })
    expect(statusCode).toBe(200)
    const style = /<style>([^<]*)<\/style>/.exec(body)?.[1] ?? ''
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'en',
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self' data:; connect-src 'self' https://one.example https://two.example:8443; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors https://web.telegram.org`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cache-control': 'no-store',
      vary: 'cookie, accept-language, accept-encoding',
    })
    expect(body).toContain('<title>Тихая гавань</title>')
    expect(body).toContain('<script type="module" src="/assets/main-en.js"></script>')
    expect(hrefs(body, 'modulepreload')).toEqual([
      '/assets/runtime-1a.js',
      '/assets/kit-en.js',
      `/assets/${screen}-en.js`,
      '/assets/qr-2b.js',
    ])
    expect(hrefs(body, 'stylesheet')).toEqual(['/assets/style-3c.css'])
    expect(hrefs(body, 'preload')).toEqual(
      reads.map((address) => `/v1${addressOf(address).replaceAll('&', '&amp;')}`),
    )
    for (const [link] of body.matchAll(/<link rel="preload"[^>]*>/g)) {
      expect(link).toMatch(/ as="fetch" .* crossorigin>$/)
    }
    expect(body).toMatch(/<noscript>.*JavaScript: включите.*JavaScript: turn it on.*<\/noscript>/)
    expect(body.match(/<script/g)).toHaveLength(2)
    expect(body).not.toMatch(/https?:\/\/(?!one|two|t\.me|vpn)| on\w+="| style="/)
  })

  test.each(pages)('$path is small', async ({ path }) => {
    const words = Array.from({ length: 100 }, (_, n) => hash('sha1', `${path} ${n}`, 'base64url').slice(0, 6))
    const welcome = words.join(' ').slice(0, 600)
    decide({ welcome: { ru: welcome, en: welcome } })
    const { rawPayload } = await get(addressOf(path), { cookie: session, 'accept-encoding': 'br' })
    expect(rawPayload.length).toBeLessThan(4096)
  })
})

describe('what is read at once', () => {
  const read = async (url: string, headers: Record<string, string> = {}) =>
    hrefs((await get(url, headers)).body, 'preload')

  test.each([
    session,
    'sallyport-cabinet=plain',
    `a=b; ${session}`,
  ])('with the session %s', async (cookie) => {
    const { body } = await get('/balance', { cookie })
    expect(hrefs(body, 'modulepreload')).toContain('/assets/balance-ru.js')
    expect(hrefs(body, 'preload')).toEqual(['/v1/profile'])
    expect(dataIn(body).isSignedIn).toBe(true)
  })

  test.each([
    '',
    'sallyport-cabinet=',
    'sallyport-cabinet=; a=b',
    'x-sallyport-cabinet=1',
  ])('without one (%s) it is what signing in takes', async (cookie) => {
    const { body } = await get('/balance', { cookie })
    expect(hrefs(body, 'modulepreload')).toContain('/assets/sign-in-ru.js')
    expect(hrefs(body, 'modulepreload')).not.toContain('/assets/balance-ru.js')
    expect(hrefs(body, 'preload')).toEqual(['/v1/auth/methods'])
    expect(dataIn(body).isSignedIn).toBe(false)
  })

  test('pages for everybody stay themselves', async () => {
    expect(hrefs((await get('/rules')).body, 'modulepreload')).toContain('/assets/rules-ru.js')
  })

  test('nothing is read in a language that is not the one of the page', async () => {
    expect(await read('/balance?lang=en', { cookie: session, 'accept-language': 'ru' })).toEqual([])
    expect(await read('/balance?lang=en', { cookie: session, 'accept-language': 'en' })).toEqual([
      '/v1/profile',
    ])
    expect(await read('/balance', { cookie: `${session}; lang=en`, 'accept-language': 'ru' })).toHaveLength(1)
  })

  test.each([
    ['/things/17', ['/v1/things/17', '/v1/profile']],
    ['/things/a_B-9', ['/v1/things/a_B-9', '/v1/profile']],
    ['/things/%22%3E%3Cscript%3E', ['/v1/profile']],
    ['/things/..%2f..%2fv1', ['/v1/profile']],
    [`/things/${'a'.repeat(65)}`, ['/v1/profile']],
  ])('%s fills in its id where it can be one', async (url, reads) => {
    const app = Fastify()
    const page = { path: '/things/:id', screen: 'home' }
    const readBy = () => ['/things/:id', '/profile']
    app.get(page.path, async (request) => readRequest(page, request, readBy).reads)
    expect((await app.inject({ url, headers: { cookie: session } })).json()).toEqual(reads)
    await app.close()
  })
})

test.each([
  ['/', {}, 'ru'],
  ['/', { 'accept-language': 'en' }, 'en'],
  ['/?lang=en', {}, 'en'],
  ['/?lang=de', { 'accept-language': 'en' }, 'en'],
  ['/?lang=en&lang=ru', { 'accept-language': 'en' }, 'en'],
  ['/?lang=en', { cookie: 'lang=ru' }, 'ru'],
  ['/', { cookie: 'lang=en', 'accept-language': 'ru' }, 'en'],
])('%s with %j is in %s', async (url, headers, language) => {
  const { body, headers: answered } = await get(url, headers)
  expect([answered['content-language'], /<html lang="(\w+)"/.exec(body)?.[1]]).toEqual([language, language])
  expect(body).toContain(`src="/assets/main-${language}.js"`)
  expect(dataIn(body).welcome).toBe({ ru: 'Добро пожаловать', en: 'Welcome' }[language])
})

test.each([
  ['theme=dark', ' data-theme="dark"'],
  ['theme=light', ' data-theme="light"'],
  ['theme=%22%3E', ''],
  ['', ''],
])('the cookie %s chooses the theme', async (cookie, attribute) => {
  expect((await get('/', { cookie })).body).toContain(`<html lang="ru"${attribute}>`)
})

describe('the brand', () => {
  test('is told to the page', async () => {
    const { body } = await get('/', { cookie: session })
    expect(dataIn(body)).toEqual({
      name: 'Тихая гавань',
      supportUrl: 'https://t.me/harbour',
      welcome: 'Добро пожаловать',
      hasRules: true,
      hasLogo: true,
      mirrors: ['https://one.example', 'https://two.example:8443'],
      isSignedIn: true,
      origin: 'https://vpn.example.com',
      now: 1_800_000_000,
    })
    const { light, dark } = paletteOf('#0b6e5f')
    const style = /<style>([^<]*)<\/style>/.exec(body)?.[1]
    expect(style).toContain(
      `:root{--accent:${light.accent};--accent-soft:${light.accentSoft};--on-accent:${light.onAccent}}`,
    )
    expect(style?.split(`--accent:${dark.accent};`)).toHaveLength(3)
  })

  const hostile = `</script><script>alert(1)</script><!--<script>"'&\u2028\\`
  test('cannot break out of where it stands', async () => {
    decide({
      name: `</title>${hostile}`,
      welcome: { ru: hostile, en: hostile },
      supportUrl: hostile,
      mirrors: [
        'https://x.example/;script-src *',
        'no address',
        'https://a;sandbox',
        'https://a,b',
        'javascript:alert(1)',
      ],
    })
    const { body, headers } = await get('/')
    expect(body.match(/<script/g)).toHaveLength(2)
    expect(body.match(/<\/script>/g)).toHaveLength(2)
    expect(body).not.toContain('<!--')
    expect(body.match(/<\/title>/g)).toHaveLength(1)
    expect(dataIn(body)).toMatchObject({ welcome: hostile, supportUrl: hostile })
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://x.example; worker-src")
  })

  test('has a manifest for home screens', async () => {
    decide({ logo: null })
    const { headers, body } = await get('/manifest.webmanifest')
    expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const manifest = JSON.parse(body)
    expect(manifest).toMatchObject({ name: 'Тихая гавань', start_url: '/', theme_color: '#0b6e5f' })
    for (const { src, type, sizes } of manifest.icons) {
      const icon = await get(src)
      expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, type])
      if (type !== 'image/png') continue
      expect(icon.rawPayload.subarray(1, 4).toString()).toBe('PNG')
      expect(`${icon.rawPayload.readUInt32BE(16)}x${icon.rawPayload.readUInt32BE(20)}`).toBe(sizes)
      expect(icon.rawPayload.length).toBeLessThan(11_000)
    }
    decide({ name: 'Other', accent: '#aa0000' })
    expect(JSON.parse((await get('/manifest.webmanifest')).body)).toMatchObject({
      name: 'Other',
      theme_color: '#aa0000',
    })
    expect((await get('/brand/icon.svg')).body).toContain('#aa0000')
  })

  test('has a logo, which runs nothing by itself', async () => {
    const { headers, body, statusCode } = await get('/brand/logo?v=logo-1')
    expect([statusCode, body, headers['content-type']]).toEqual([200, 'a logo', 'image/png'])
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    for (const url of ['/brand/logo', '/brand/logo?v=older']) {
      expect((await get(url)).headers['cache-control']).toBe(
        'public, max-age=300, stale-while-revalidate=604800',
      )
    }
    expect((await get('/brand/logo', { 'if-none-match': '"logo-1"' })).statusCode).toBe(304)
    decide({ logo: null })
    expect((await get('/brand/logo')).statusCode).toBe(404)
  })

  test('has rules in the languages they are written in', async () => {
    const rules = await get('/brand/rules/ru')
    expect([rules.statusCode, rules.body, rules.headers['content-type']]).toEqual([
      200,
      'Не шалить',
      'text/plain; charset=utf-8',
    ])
    expect((await get('/brand/rules/en')).statusCode).toBe(404)
    decide({ rules: { ru: 'Можно шалить', en: null } })
    expect((await get('/brand/rules/ru')).body).toBe('Можно шалить')
  })

  test('that changes is in the next page', async () => {
    decide({ name: 'Before' })
    await get('/')
    decide({ name: 'After', accent: '#123456' })
    const { body } = await get('/')
    expect(body).toContain('<title>After</title>')
    expect(body).toContain(':root{--accent:#123456;')
  })
})

describe('files', () => {
  const file = '/assets/main-en.js'

  test.each([
    ['br', 'br', brotliDecompressSync],
    ['gzip, br;q=0.5', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ])('with %s come as %s', async (accepted, encoding, decode) => {
    const { headers, rawPayload } = await get(file, { 'accept-encoding': accepted })
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
    expect(headers['content-encoding']).toBe(encoding)
    expect(decode(rawPayload).toString()).toBe(contentOf('assets/main-en.js'))
    const again = await get(file, { 'accept-encoding': accepted, 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('have types', async () => {
    expect((await get('/assets/style-3c.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  })

  test.each([
    '/assets/main-en.js.br',
    '/assets/',
    '/assets/../manifest.json',
    '/assets/%2e%2e/manifest.json',
    '/manifest.json',
    '/assets/none.js',
  ])('%s is none', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })

  test('the service worker may serve the whole site, and is never kept', async () => {
    const { headers, body } = await get('/sw.js')
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'service-worker-allowed': '/',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; connect-src 'self' https://one.example https://two.example:8443",
    })
    expect(body).toBe(contentOf('assets/worker-4d.js'))
  })
})

test('a page is packed for whoever can read that', async () => {
  const plain = await get('/')
  for (const [encoding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await get('/', { 'accept-encoding': encoding })
    expect(headers['content-encoding']).toBe(encoding)
    expect(decode(rawPayload).toString()).toBe(plain.body)
  }
})

test('what is kept of a page is shown to nobody who would see another', async () => {
  const cookies = ['', session, 'theme=dark', 'theme=light', 'lang=en', `${session}; lang=en; theme=dark`]
  const seen = new Set<string>()
  for (const cookie of [...cookies, ...cookies]) {
    for (const url of ['/rules', '/sign-in']) seen.add((await get(url, { cookie })).body)
  }
  expect(seen.size).toBe(cookies.length * 2)
})

test('each answer has a connection of its own where the operator asks for that', async () => {
  const urls = [
    '/',
    '/devices',
    '/assets/main-en.js',
    '/sw.js',
    '/manifest.webmanifest',
    '/brand/logo',
    '/brand/icon.svg',
  ]
  for (const closesConnections of [true, false]) {
    decide({ closesConnections })
    for (const url of urls) {
      const { headers } = await get(url)
      expect(headers.connection, url).toBe(closesConnections ? 'close' : 'keep-alive')
    }
  }
})

test('without a build pages say what to do', async () => {
  const none = serve(undefined, openLimiter)
  const { statusCode, headers, body } = await none.inject('/')
  expect([statusCode, headers['cache-control'], headers['retry-after']]).toEqual([503, 'no-store', '60'])
  expect(body).toMatch(/npm run build и запустите[\s\S]*run npm run build and start/)
  expect((await none.inject('/assets/main-en.js')).statusCode).toBe(404)
  expect((await none.inject('/brand/icon.svg')).statusCode).toBe(200)
  await none.close()
})

test('an address has a limit, for all pages', async () => {
  const limited = serve(wholeBuild, new MemoryLimiter(() => 0))
  for (let n = 0; n < pageLimit.points; n++) {
    expect((await limited.inject(n % 2 ? '/' : '/shop')).statusCode).toBe(200)
  }
  const refused = await limited.inject('/devices')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
  expect((await limited.inject({ url: '/', remoteAddress: '192.0.2.7' })).statusCode).toBe(200)
  expect((await limited.inject('/assets/main-en.js')).statusCode).toBe(200)
  await limited.close()
})
