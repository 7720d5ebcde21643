import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCabinet } from '../../../../test/support/cabinet-build.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** The cabinet as a part of the whole service. */

const built = buildCabinet()
let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, cabinetDir: built.folder })
  user = await service.createUser()
})
afterAll(async () => {
  await service.stop()
  built.remove()
})

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.running.url}${path}`, { headers: { ...browser, ...headers }, method, redirect: 'manual' })

const decide = (set: { closes_connections?: boolean; accent?: string }) =>
  service.db.updateTable('cabinet_settings').set(set).execute()

test.each([
  '/',
  '/shop',
  '/configs/1',
  '/options/1/configs/2',
  '/payments/abc',
])('%s is a page', async (path) => {
  const answer = await get(path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const text = await answer.text()
  expect(text).toContain('<title>Sallyport</title>')
  expect(text).toContain(`"origin":"${service.running.url}"`)
  expect(text).toContain(`"now":${service.clock.now()}`)
})

test('a change of the operator is in the next page', async () => {
  await decide({ accent: '#5b21b6' })
  expect(await (await get('/')).text()).toContain(':root{--accent:#5b21b6;')
})

test('files, the worker and the brand are served', async () => {
  for (const path of [
    '/assets/main-ru.js',
    '/assets/main-en.js',
    '/sw.js',
    '/manifest.webmanifest',
    '/brand/icon.svg',
  ]) {
    expect((await get(path)).status, path).toBe(200)
  }
})

test.each([
  '/shop/',
  '/shop/nothing',
  '/configs',
  '/configs/1/2',
  '/assets/nothing.js',
  '/index.html',
  '/cabinet',
])('%s leads nowhere, and from there home', async (path) => {
  const answer = await get(path)
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('href="/"')
})

test.each(['/', '/shop', '/assets/main-ru.js', '/sw.js'])('%s takes no POST', async (path) => {
  const answer = await get(path, {}, 'POST')
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('the head of a page comes without it', async () => {
  const answer = await get('/', {}, 'HEAD')
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test('answers to a customer in the cabinet have connections of their own where the operator asks for that', async () => {
  const authorization = `Bearer ${user.api_key}`
  const connectionTo = async (cookie?: string) =>
    (await get('/v1/profile', { authorization, ...(cookie && { cookie }) })).headers.get('connection')
  expect(await connectionTo('sallyport-cabinet=x')).toBe('keep-alive')
  await decide({ closes_connections: true })
  expect((await get('/')).headers.get('connection')).toBe('close')
  expect(await connectionTo('sallyport-cabinet=x')).toBe('close')
  expect(await connectionTo('lang=ru')).toBe('keep-alive')
  expect(await connectionTo()).toBe('keep-alive')
  expect((await get('/assets/main-ru.js')).headers.get('connection')).toBe('close')
  expect((await get('/docs')).headers.get('connection')).toBe('keep-alive')
  await decide({ closes_connections: false })
})

test('operations answer in the language that was chosen in the cabinet', async () => {
  const titles = async (headers: Record<string, string>) => {
    const answer = await get('/v1/locations', { authorization: `Bearer ${user.api_key}`, ...headers })
    return ((await answer.json()) as { data: { title: string }[] }).data[0]?.title
  }
  const [ru, en] = [await titles({ 'accept-language': 'ru' }), await titles({ 'accept-language': 'en' })]
  expect(ru).not.toBe(en)
  expect(await titles({ 'accept-language': 'ru', cookie: 'lang=en' })).toBe(en)
  expect(await titles({ 'accept-language': 'en', cookie: 'lang=ru' })).toBe(ru)
  expect(await titles({ 'accept-language': 'en', cookie: 'lang=xx' })).toBe(en)
})

test('a service whose cabinet was not built serves everything else', async () => {
  const bare = await startTestService({ cabinetDir: '/nowhere' })
  try {
    const { status, body } = await bare.call('GET', '/')
    expect([status, body]).toEqual([503, expect.stringContaining('npm run build')])
    expect((await bare.call('GET', '/docs')).status).toBe(200)
    expect((await bare.call('GET', '/readyz')).status).toBe(200)
  } finally {
    await bare.stop()
  }
})
