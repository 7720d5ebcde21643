import { hash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { cabinetPages } from '@sallyport/domain/cabinet/pages'
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { buildCabinet, contentOf } from '../../../../test/support/cabinet-build.ts'
import { openLimiter } from '../../../../test/support/service.ts'
import { MemoryLimiter } from '../../adapters/limits/memory-limiter.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { CabinetBuild } from './build.ts'
import { cabinetRoutes, pageLimit } from './routes.ts'
import type { CabinetSettings } from './settings.ts'

const built = buildCabinet()
afterAll(() => built.remove())

const usual: CabinetSettings = {
  name: 'Тихая гавань',
  supportUrl: 'https://t.me/harbour',
  accent: '#0b6e5f',
  welcome: { ru: 'Добро пожаловать', en: 'Welcome' },
  rules: { ru: 'Не шалить', en: null },
  mirrors: ['https://one.example', 'https://two.example:8443'],
  closesConnections: false,
  logo: { type: 'image/png', bytes: Buffer.from('a logo'), etag: '"logo-1"' },
  version: 1,
}

let settings = usual
const decide = (given: Partial<CabinetSettings>): void => {
  settings = { ...usual, ...given, version: settings.version + 1 }
}

const wholeBuild = new CabinetBuild(built.folder)
const serve = (build: CabinetBuild | undefined, limiter: Limiter) => {
  const app = Fastify()
  const now = async () => settings
  cabinetRoutes(app, { build, settings: { latest: now, lastSeen: now }, limiter })
  return app
}
const app = serve(wholeBuild, openLimiter)
afterAll(() => app.close())

const session = '__Host-sallyport-cabinet=secret'
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const hrefs = (page: string, rel: string) =>
  [...page.matchAll(new RegExp(`<link rel="${rel}"[^>]* href="([^"]*)"`, 'g'))].map(([, href]) => href)

/** An address of each page. */
const addressOf = (path: string) => path.replaceAll(/:\w+/g, '17')

describe('every page', () => {
  test.each(cabinetPages)('$path', async ({ path, screen }) => {
    decide({})
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
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cache-control': 'private, no-cache',
      vary: 'cookie, accept-language, accept-encoding',
    })
    expect(headers.connection).not.toBe('close')
    expect(body).toContain('<title>Тихая гавань</title>')
    expect(body).toContain('<script type="module" src="/assets/main-a1.js"></script>')
    expect(hrefs(body, 'modulepreload')).toEqual([
      '/assets/kit-b2.js',
      '/assets/signals-d4.js',
      `/assets/${screen}-29.js`,
      '/assets/form-e5.js',
      '/assets/en-07.js',
    ])
    expect(hrefs(body, 'stylesheet')).toEqual(
      screen === 'shop' ? ['/assets/main-c3.css', '/assets/shop-3a.css'] : ['/assets/main-c3.css'],
    )
    expect(body).toMatch(/<noscript>.*JavaScript: включите.*JavaScript: turn it on.*<\/noscript>/)
    expect(style).toContain('--accent:#0b6e5f')
    expect(body.match(/<script/g)).toHaveLength(2)
    expect(body).not.toMatch(/https?:\/\/(?!one|two|t\.me)| on\w+="| style="/)
  })

  test.each(cabinetPages)('$path is small', async ({ path }) => {
    const words = Array.from({ length: 90 }, (_, n) =>
      hash('sha1', `${path} ${n}`, 'base64url').slice(0, 6),
    ).join(' ')
    decide({ welcome: { ru: words.slice(0, 600), en: words.slice(0, 600) } })
    const { rawPayload } = await get(addressOf(path), { cookie: session, 'accept-encoding': 'br' })
    expect(rawPayload.length).toBeLessThan(4096)
  })
})

describe('what is asked for at once', () => {
  const asked = async (url: string, headers: Record<string, string> = {}) => {
    const { body } = await get(url, headers)
    for (const [link] of body.matchAll(/<link rel="preload"[^>]*>/g))
      expect(link).toMatch(/ as="fetch" .* crossorigin>$/)
    return hrefs(body, 'preload')
  }

  test.each([
    session,
    'sallyport-cabinet=plain',
    `a=b; ${session}`,
  ])('answers of the API with the cookie %s', async (cookie) => {
    expect(await asked('/devices', { cookie })).toEqual(['/v1/profile', '/v1/profile/devices'])
    expect(await asked('/subscriptions/17', { cookie })).toEqual([
      '/v1/profile',
      '/v1/profile/custom-subscriptions/17',
    ])
  })

  test('an id that cannot be one is left out', async () => {
    for (const id of ['%22%3E%3Cscript%3E', '..%2f..%2fv1', 'a'.repeat(65)]) {
      expect(await asked(`/subscriptions/${id}`, { cookie: session })).toEqual(['/v1/profile'])
      expect((await get(`/subscriptions/${id}`, { cookie: session })).body).not.toContain('<script>')
    }
  })

  test.each([
    '',
    'sallyport-cabinet=',
    'x-sallyport-cabinet=1',
  ])('without a session (%s) it is what signing in takes', async (cookie) => {
    const { body } = await get('/devices', { cookie })
    expect(hrefs(body, 'modulepreload')).toContain('/assets/sign-in-29.js')
    expect(hrefs(body, 'modulepreload')).not.toContain('/assets/devices-29.js')
    expect(hrefs(body, 'preload')).toEqual(['/v1/auth/methods'])
  })

  test('pages for everybody stay themselves', async () => {
    const { body } = await get('/rules', { 'accept-language': 'en' })
    expect(hrefs(body, 'modulepreload')).toContain('/assets/rules-29.js')
    expect(hrefs(body, 'preload')).toEqual(['/brand/rules/en'])
  })

  test('nothing is asked in a language that is not the one of the page', async () => {
    expect(await asked('/devices?lang=en', { cookie: session, 'accept-language': 'ru' })).toEqual([])
    expect(await asked('/devices?lang=en', { cookie: session, 'accept-language': 'en' })).toHaveLength(2)
    expect(await asked('/rules?lang=en', { 'accept-language': 'ru' })).toEqual(['/brand/rules/en'])
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
  expect(body).toContain(language === 'ru' ? '/assets/ru-f6.js' : '/assets/en-07.js')
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
  const brandIn = (page: string) =>
    JSON.parse(/<script type="application\/json" id="brand">(.*)<\/script><\/body>/s.exec(page)?.[1] ?? '')

  test('is told to the page', async () => {
    decide({})
    expect(brandIn((await get('/')).body)).toEqual({
      name: 'Тихая гавань',
      logo: '/brand/logo?v=logo-1',
      supportUrl: 'https://t.me/harbour',
      welcome: { ru: 'Добро пожаловать', en: 'Welcome' },
      hasRules: true,
      mirrors: ['https://one.example', 'https://two.example:8443'],
    })
  })

  const hostile = `</script><script>alert(1)</script><!--<script>"'&\u2028\\`
  test('cannot break out of where it stands', async () => {
    decide({
      name: `</title>${hostile}`,
      welcome: { ru: hostile, en: hostile },
      mirrors: ['https://x.example/;script-src *', 'no address'],
    })
    const { body, headers } = await get('/')
    expect(body.match(/<script/g)).toHaveLength(2)
    expect(body.match(/<\/script>/g)).toHaveLength(2)
    expect(body).not.toContain('<!--')
    expect(body.match(/<\/title>/g)).toHaveLength(1)
    expect(brandIn(body).welcome.ru).toBe(hostile)
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://x.example; worker-src")
    decide({})
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
    decide({})
    const { headers, body, statusCode } = await get('/brand/logo?v=logo-1')
    expect([statusCode, body, headers['content-type']]).toEqual([200, 'a logo', 'image/png'])
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect((await get('/brand/logo?v=older')).headers['cache-control']).toBe('no-cache')
    expect((await get('/brand/logo', { 'if-none-match': '"logo-1"' })).statusCode).toBe(304)
    decide({ logo: null })
    expect((await get('/brand/logo')).statusCode).toBe(404)
  })

  test('has rules in the languages they are written in', async () => {
    decide({})
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
    const before = await get('/')
    decide({ name: 'After', accent: '#123456' })
    const after = await get('/', { 'if-none-match': String(before.headers.etag) })
    expect([after.statusCode, after.body.includes('<title>After</title>')]).toEqual([200, true])
    expect(after.body).toContain('--accent:#123456')
  })
})

describe('files', () => {
  const file = '/assets/main-a1.js'

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
    expect(decode(rawPayload).toString()).toBe(contentOf('assets/main-a1.js'))
    const again = await get(file, { 'accept-encoding': accepted, 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('have types', async () => {
    expect((await get('/assets/main-c3.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  })

  test.each([
    '/assets/main-a1.js.br',
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
    expect(body).toBe(contentOf('assets/sw-18.js'))
  })
})

test('a page is not sent twice to one who has it', async () => {
  decide({})
  const first = await get('/', { cookie: session, 'accept-encoding': 'br' })
  const etag = String(first.headers.etag)
  const again = await get('/', { cookie: session, 'accept-encoding': 'br', 'if-none-match': etag })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
  expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
  for (const other of [{ cookie: `${session}; theme=dark` }, { cookie: `${session}; lang=en` }, {}]) {
    const answer = await get('/', { 'accept-encoding': 'br', 'if-none-match': etag, ...other })
    expect(answer.statusCode, JSON.stringify(other)).toBe(200)
  }
})

test('each answer has a connection of its own where the operator asks for that', async () => {
  const urls = [
    '/',
    '/devices',
    '/assets/main-a1.js',
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
  expect((await none.inject('/assets/main-a1.js')).statusCode).toBe(404)
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
  expect((await limited.inject('/assets/main-a1.js')).statusCode).toBe(200)
  await limited.close()
})
