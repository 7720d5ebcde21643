import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

describe('addresses', () => {
  let paramsOf: typeof import('./router.ts').paramsOf

  beforeAll(async () => {
    vi.stubGlobal('location', { pathname: '/', search: '' })
    vi.stubGlobal('addEventListener', () => undefined)
    paramsOf = (await import('./router.ts')).paramsOf
  })
  afterAll(() => vi.unstubAllGlobals())

  test.each([
    ['/', '/', {}],
    ['/configs/:id', '/configs/7', { id: '7' }],
    ['/options/:id/configs/:configId', '/options/1/configs/20', { id: '1', configId: '20' }],
    ['/configs/:id', '/configs/%D0%B0', { id: 'а' }],
    ['/configs/:id', '/configs/%E0%A4%A', undefined],
    ['/configs/:id', '/configs', undefined],
    ['/configs/:id', '/configs/7/renew', undefined],
    ['/shop', '/shops', undefined],
  ])('%s at %s', (pattern, path, params) => {
    expect(paramsOf(pattern, path)).toEqual(params)
  })
})
