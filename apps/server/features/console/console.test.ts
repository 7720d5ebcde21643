import { brotliDecompressSync } from 'node:zlib'
import { consolePages } from '@sallyport/domain/console/pages'
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { buildConsole, contentOf } from '../../../../test/support/cabinet-build.ts'
import { openLimiter } from '../../../../test/support/service.ts'
import { MemoryLimiter } from '../../adapters/limits/memory-limiter.ts'
import type { WebBuild } from '../../core/web/web-build.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { consoleAppRoutes } from './app-routes.ts'
import { consoleBuild } from './build.ts'

const built = buildConsole()
afterAll(() => built.remove())

const serve = (build: WebBuild | undefined, limiter: Limiter = openLimiter) => {
  const app = Fastify()
  afterAll(() => app.close())
  consoleAppRoutes(app, {
    build,
    limiter,
    clock: { now: () => 1_800_000_000 },
    publicUrl: () => 'https://vpn.example.com',
    name: async () => 'Тихая </script><b>гавань',
  })
  return app
}

const app = serve(consoleBuild(built.folder))
const signedIn = { cookie: '__Host-sallyport-console=secret', 'accept-language': 'en' }
const get = (url: string, headers: Record<string, string> = signedIn) => app.inject({ url, headers })
const addressOf = (path: string) => path.replaceAll(/:\w+/g, '17')

describe('every page', () => {
  test.each(consolePages)('$path', async ({ path, screen }) => {
    const { statusCode, headers, body } = await get(addressOf(path))
    expect([statusCode, headers['content-type'], headers['content-language']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'en',
    ])
    for (const file of ['main-en.js', 'kit-en.js', 'style-3c.css', `${screen}-en.js`])
      expect(body).toContain(`="/console/assets/${file}"`)
    expect(headers['cache-control']).toBe('no-store')
  })

  test('lets nothing in but its own files, and nobody frame it', async () => {
    const { headers, body } = await get('/console')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(body).not.toMatch(/<style|style="|<script>/)
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  })

  test('the name of the service is text wherever it stands', async () => {
    const { body } = await get('/console')
    expect(body).toContain('Тихая')
    expect(body).not.toContain('<b>')
    expect(body.match(/<\/script>/g)).toHaveLength(2)
  })

  test('is in the language and the theme that were chosen', async () => {
    const chosen = await get('/console', {
      cookie: `${signedIn.cookie}; lang=ru; theme=dark`,
      'accept-language': 'en',
    })
    expect(chosen.body).toContain('<html lang="ru" data-theme="dark">')
    expect(chosen.body).toContain('/console/assets/main-ru.js')
  })

  test('is small on its way', async () => {
    const { headers, rawPayload } = await get('/console', { ...signedIn, 'accept-encoding': 'br' })
    expect(headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(rawPayload).toString()).toContain('<!doctype html>')
  })
})

describe('whoever is not signed in', () => {
  test('is sent to where one signs in, and comes back', async () => {
    const { statusCode, headers } = await get('/console/customers?view=ending', {})
    expect([statusCode, headers.location]).toEqual([
      303,
      '/console/sign-in?to=%2Fconsole%2Fcustomers%3Fview%3Dending',
    ])
  })

  test('has a limit', async () => {
    const limited = serve(consoleBuild(built.folder), new MemoryLimiter(() => 0))
    const answers = await Promise.all(Array.from({ length: 601 }, () => limited.inject({ url: '/console' })))
    expect(answers.map(({ statusCode }) => statusCode).filter((code) => code === 429)).toHaveLength(1)
  })
})

describe('files', () => {
  test('are kept for ever under their names', async () => {
    const { statusCode, headers, body } = await get('/console/assets/main-en.js', {})
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(body).toBe(contentOf('assets/main-en.js'))
    const again = await get('/console/assets/main-en.js', { 'if-none-match': String(headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  test.each([
    '/console/assets/none.js',
    '/console/nothing',
    '/console/customers/1/2',
  ])('%s is none', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })
})

test('without a build everything else is served, and the page says how to make one', async () => {
  const { statusCode, headers, body } = await serve(undefined).inject({ url: '/console', headers: signedIn })
  expect([statusCode, headers['retry-after']]).toEqual([503, '60'])
  expect(body).toContain('npm run build')
})
