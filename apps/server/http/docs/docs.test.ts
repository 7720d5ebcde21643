import { hash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openApiDocument, openApiPath } from '@sallyport/contract/docs/openapi'
import { type ErrorName, errors, messageOf } from '@sallyport/contract/errors'
import { aboutOf } from '@sallyport/contract/shapes'
import { allOperations, audiences } from '@sallyport/contract/tables'
import { encode } from '@sallyport/domain/delivery/encoding'
import { escapeHtml, html } from '@sallyport/domain/delivery/html'
import Fastify from 'fastify'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { afterAll, describe, expect, test } from 'vitest'
import { openLimiter } from '../../../../test/support/service.ts'
import { MemoryLimiter } from '../../adapters/limits/memory-limiter.ts'
import { docsPage, operatorsPage, partPage } from './docs.ts'
import { answerExample, bodyExample, curlOf, paramsExample, queryExample, sampleOf } from './examples.ts'
import { fieldsOf } from './fields.ts'
import { prose } from './html.ts'
import { parts } from './parts.ts'
import { docsLimit, docsPolicy, docsRoutes } from './routes.ts'

const operations = [...allOperations()]
const languages = ['ru', 'en'] as const
const plain = (text: string) => text.replaceAll('`', '')

/** Every page there is, by its address. */
const pagesIn = (language: (typeof languages)[number]): Map<string, string> =>
  new Map([
    [`/docs?lang=${language}`, docsPage(language, 'https://vpn.example.com')],
    [`/docs/${language}/operators`, operatorsPage(language)],
    ...parts().map((part): [string, string] => [`/docs/${language}/${part.name}`, partPage(language, part)]),
  ])

describe.each(languages)('the pages in %s', (language) => {
  const pages = pagesIn(language)
  const page = pages.get(`/docs?lang=${language}`) as string
  const text = page.replace(/<[^>]*>/g, '')
  const articles = new Map(
    [...pages.values()]
      .flatMap((one) => one.split('<article id="').slice(1))
      .map((part) => [part.slice(0, part.indexOf('"')), part]),
  )

  test.each(operations)('tells of $name', ({ name, base, row }) => {
    const article = articles.get(name)?.replace(/<[^>]*>/g, '')
    expect(article).toContain(`${row.method}${base}${row.path}`)
    expect(article).toContain(escapeHtml(plain(row.summary[language])))
    expect(article).toContain('curl -s')
    for (const error of row.errors) expect(article).toContain(messageOf(error))
    const { params, query, body } = row.request
    const sent = [params, query, body].flatMap((schema) => (schema ? fieldsOf(schema, language) : []))
    const received = Object.values(row.response).flatMap((schema) => fieldsOf(schema, language))
    for (const field of [...sent, ...received]) expect(article).toContain(`${field.prefix}${field.name}`)
  })

  test.each(Object.keys(errors) as ErrorName[])('tells of the error %s', (name) => {
    const row = page.slice(page.indexOf(`id="error-${name}"`)).split('</tr>')[0]
    expect(row).toContain(
      `<td class="num">${errors[name].code}</td><td class="num">${errors[name].status}</td>`,
    )
    expect(row).toContain(messageOf(name))
    expect(row).toContain(escapeHtml(errors[name].when[language]))
  })

  test('links lead somewhere and ids are unique', () => {
    const idsOf = (one: string) => [...one.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    const lost: string[] = []
    for (const [address, one] of pages) {
      expect(new Set(idsOf(one)).size).toBe(idsOf(one).length)
      const links = [...one.matchAll(/(?:href="|popovertarget="#?)([^"]+)"/g)].map((match) => match[1] ?? '')
      for (const link of links) {
        if (/^(\/favicon\.ico|(\/operator|\/agent)?\/v1\/openapi\.json)$/.test(link)) continue
        const [path = '', id] = link === 'contents' ? ['', 'contents'] : link.split('#')
        const other = path.replace(/^(\/docs(?:\?lang=|\/))(ru|en)/, `$1${language}`)
        const target = path === '' ? pages.get(address) : pages.get(other)
        if (target === undefined || (id !== undefined && !idsOf(target).includes(id))) lost.push(link)
      }
    }
    expect(lost).toEqual([])
  })

  test('every operation is listed, and leads to where it is told of', () => {
    for (const { name, base, row, table } of operations) {
      const isForCustomers = table.audience === 'customer'
      const page = pages.get(isForCustomers ? `/docs?lang=${language}` : `/docs/${language}/operators`) ?? ''
      const [, address = '', path] =
        new RegExp(`href="([^"#]+)#${name}"[^>]*><b[^>]*>([^<]*</b>[^<]*)<`).exec(page) ?? []
      expect(path).toBe(`${row.method}</b>${base}${row.path}`)
      expect(pages.get(address)).toContain(`<article id="${name}"`)
    }
  })

  test.each([...pages])('%s is small, and smaller on its way', (_address, one) => {
    const bytes = Buffer.from(one)
    expect(bytes.length).toBeLessThan(60_000)
    // Some networks let through 16 KB of a connection, and headers and handshakes are among them.
    expect(encode(bytes, 'gzip').length).toBeLessThan(12_500)
  })

  test.each([...pages])('%s loads nothing from elsewhere', (_address, one) => {
    const addresses = [...one.matchAll(/(?:src|href|action)="([^"]*)"/g)].map((match) => match[1] ?? '')
    const own = /^(#|\/docs|(\/operator|\/agent)?\/v1\/openapi\.json$|\/favicon\.ico$)/
    expect(addresses.filter((address) => !own.test(address))).toEqual([])
    expect(one).not.toMatch(/@import|url\(| on\w+="| style="/)
  })

  test('names the address of the service', () => {
    expect(text).toContain(escapeHtml("ORIGIN='https://vpn.example.com'"))
  })
})

test('whatever comes in is escaped', () => {
  expect(docsPage('en', `https://x/<script>alert("1")</script>`)).not.toContain('<script>alert')
  expect(html`<b title="${'"\'&'}">${['<', html`<i>`, false, undefined, 1]}</b>`.text).toBe(
    '<b title="&quot;&#39;&amp;">&lt;<i>1</b>',
  )
  expect(prose('see `<since>` & more').text).toBe('see <code>&lt;since&gt;</code> &amp; more')
})

test('every described field is described in Russian too', () => {
  const schemas = operations.flatMap(({ row }) => [
    ...(Object.values(row.request) as TSchema[]),
    ...Object.values(row.response),
  ])
  const notes = schemas.flatMap((schema) => fieldsOf(schema, 'ru').map(({ note }) => note))
  expect(notes.filter((note) => note !== '' && !/[а-яё]/i.test(note) && /[a-z]/.test(note))).toEqual([])
})

/** Fields that show something, wherever they are. */
const shownIn = (schema: unknown): TSchema[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const inner = Object.values(schema).flatMap(shownIn)
  const { example, spoken } = aboutOf(schema) ?? {}
  return example === undefined && spoken === undefined ? inner : [schema, ...inner]
}

describe('examples fit their schemas', () => {
  test.each(operations)('$name', (operation) => {
    const { request, response, example = {} } = operation.row
    const [answer] = Object.values(response) as [TSchema]
    for (const language of languages) {
      const { data } = answerExample(operation, language) as { data: unknown }
      const pairs: [TSchema | undefined, unknown][] = [
        [request.params, paramsExample(operation, language)],
        [request.query, queryExample(operation, language)],
        [request.body, bodyExample(operation, language)],
        [answer, data],
      ]
      for (const [schema, value] of pairs) expect(schema === undefined || Check(schema, value)).toBe(true)
      for (const schema of shownIn([request, response])) {
        expect(Check(schema, sampleOf(schema, language)), JSON.stringify(schema)).toBe(true)
      }
      expect(curlOf(operation, language).split('\n')[0]).not.toMatch(/:|undefined/)
    }
    expect(Object.keys(example).filter((part) => part !== 'data' && !(part in request))).toEqual([])
  })
})

describe('routes', () => {
  const app = Fastify()
  docsRoutes(app, openLimiter, () => 'https://vpn.example.com')
  afterAll(() => app.close())

  test('the language follows ?lang=, then Accept-Language, then Russian', async () => {
    const ask = async (url: string, accept?: string) => {
      const answer = await app.inject({ url, headers: accept ? { 'accept-language': accept } : {} })
      return [
        answer.statusCode,
        answer.headers['content-language'],
        /<html lang="(\w+)"/.exec(answer.body)?.[1],
      ]
    }
    expect(await ask('/docs')).toEqual([200, 'ru', 'ru'])
    expect(await ask('/docs', 'en-GB,ru;q=0.5')).toEqual([200, 'en', 'en'])
    expect(await ask('/docs?lang=en')).toEqual([200, 'en', 'en'])
    expect(await ask('/docs?lang=ru', 'en')).toEqual([200, 'ru', 'ru'])
    expect(await ask('/docs?lang=xx&lang=en', 'en')).toEqual([200, 'en', 'en'])
  })

  test('only the inlined style and script may run', async () => {
    const { headers, body } = await app.inject('/docs')
    const policy = String(headers['content-security-policy'])
    expect(policy).toBe(docsPolicy)
    expect(policy).not.toContain('unsafe')
    for (const element of ['style', 'script']) {
      const inlined = [...body.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))]
      expect(inlined).toHaveLength(1)
      expect(policy).toContain(`${element}-src 'sha256-${hash('sha256', inlined[0]?.[1] ?? '', 'base64')}'`)
    }
  })

  const addresses = audiences.map(openApiPath)

  test.each(audiences)('the OpenAPI document for the %s is served as it is, to anybody', async (audience) => {
    const { headers, body } = await app.inject(openApiPath(audience))
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(openApiDocument(audience))))
  })

  test.each([
    '/docs',
    '/docs/ru/configs',
    ...addresses,
  ])('%s is sent compressed to those who can read that', async (url) => {
    const ask = (accepted: string) => app.inject({ url, headers: { 'accept-encoding': accepted } })
    const [plain, small, zipped] = [
      await app.inject(url),
      await ask('br;q=1.0, gzip;q=0.8'),
      await ask('gzip'),
    ]
    expect([small, zipped].map((one) => one.headers['content-encoding'])).toEqual(['br', 'gzip'])
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(small.rawPayload.length).toBeLessThan(zipped.rawPayload.length)
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body)
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body)
    const tags = [plain, small, zipped].map((one) => one.headers.etag)
    expect(new Set(tags).size).toBe(3)
    expect(String(small.headers.vary)).toContain('accept-encoding')
    for (const accepted of ['identity', 'gzip;q=0', 'gzip; q=0.0', 'zstd']) {
      expect((await ask(accepted)).headers['content-encoding']).toBeUndefined()
    }
  })

  test('what is no part is not there', async () => {
    for (const url of ['/docs/ru/nothing', '/docs/de/configs', '/docs/ru', '/docs/ru/configs/more']) {
      expect((await app.inject(url)).statusCode).toBe(404)
    }
  })

  test('is made once, however often it is asked for', async () => {
    let made = 0
    const counted = Fastify()
    docsRoutes(counted, openLimiter, () => {
      made += 1
      return 'https://vpn.example.com'
    })
    for (const accepted of ['br', 'gzip', 'identity', 'br', 'gzip']) {
      await counted.inject({ url: '/docs?lang=en', headers: { 'accept-encoding': accepted } })
    }
    await counted.close()
    expect(made).toBe(1)
  })

  test('an address has a limit, for all of it', async () => {
    const limited = Fastify()
    docsRoutes(limited, new MemoryLimiter(() => 0), () => 'https://vpn.example.com')
    const urls = ['/docs', '/docs/en/configs', ...addresses]
    for (let n = 0; n < docsLimit.points; n++) {
      expect((await limited.inject(urls[n % urls.length] as string)).statusCode).toBe(200)
    }
    for (const url of urls) {
      const refused = await limited.inject(url)
      expect([refused.statusCode, refused.body.length < 300]).toEqual([429, true])
      expect(refused.headers['retry-after']).toBe('60')
    }
    const elsewhere = await limited.inject({ url: '/docs', remoteAddress: '192.0.2.7' })
    expect(elsewhere.statusCode).toBe(200)
    await limited.close()
  })

  test.each(['/docs', ...addresses])('%s is not sent twice to one who has it', async (url) => {
    const first = await app.inject(url)
    const etag = String(first.headers.etag)
    const again = await app.inject({ url, headers: { 'if-none-match': `"other", W/${etag}` } })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    expect((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200)
    expect(first.headers['cache-control']).toBe('public, max-age=300')
  })
})
