import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { openApiDocument, openApiPath } from '@sallyport/contract/docs/openapi'
import { audiences } from '@sallyport/contract/tables'
import { cabinetPages } from '@sallyport/domain/cabinet/pages'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../test/support/service.ts'

/** Whatever is registered, told by the framework itself. */
const served: string[] = []
const listen = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) served.push(`${one} ${url}`)
  })
}

let service: TestService
beforeAll(async () => {
  subscribe('fastify.initialization', listen)
  service = await startTestService()
  unsubscribe('fastify.initialization', listen)
})
afterAll(() => service.stop())

const isApi = (route: string): boolean => /^\w+ (\/operator|\/agent)?\/v\d/.test(route)
const documents = new Set(audiences.map((audience) => `GET ${openApiPath(audience)}`))

test('check 5: the routes under the addresses of the API are those of the OpenAPI documents, exactly', async () => {
  const told: string[] = []
  for (const audience of audiences) {
    const { status, body } = await service.call('GET', openApiPath(audience))
    expect(status).toBe(200)
    expect(JSON.parse(JSON.stringify(openApiDocument(audience))).paths).toEqual(body.paths)
    const [{ url: base }] = body.servers as [{ url: string }]
    for (const [path, methods] of Object.entries(body.paths as Record<string, object>)) {
      const address = `${new URL(base, 'http://here').pathname.replace(/\/$/, '')}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
      for (const method of Object.keys(methods)) {
        if (/^(get|post|put|patch|delete)$/.test(method)) told.push(`${method.toUpperCase()} ${address}`)
      }
    }
  }
  expect(told.length).toBeGreaterThan(200)
  const api = served.filter((route) => isApi(route) && !documents.has(route.replace(/^HEAD/, 'GET')))
  expect(api.sort()).toEqual(told.sort())
})

const pages = new Set<string>(cabinetPages.map(({ path }) => path))
/** Health, what the doctor asks, subscriptions, what providers call, and the files of pages. */
const others =
  /^\/(healthz|readyz|metrics|probe|favicon\.ico|sub|pay|docs|open|webhooks|install|brand|console|manifest|sw\.js|assets|auth)\b/

const isNamed = (route: string): boolean => {
  const path = route.slice(route.indexOf(' ') + 1)
  return isApi(route) || pages.has(path) || others.test(path)
}

test('check 5: outside of them there are pages, health, subscriptions and webhooks, and nothing for finding faults', () => {
  expect(served.filter((route) => !isNamed(route))).toEqual([])
})

test.each([
  '/debug',
  '/v0/profile',
  '/v2/profile',
  '/admin',
  '/api/v1/profile',
  '/debug/pprof',
  '/env',
  '/.git/config',
])('check 5: there is nothing at %s', async (path) => {
  expect((await service.call('GET', path)).status).toBe(404)
})
