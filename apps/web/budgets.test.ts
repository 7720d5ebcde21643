import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { cabinetPages } from '@sallyport/domain/cabinet/pages'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cabinetApp, configOf, languages, operationsModule } from './build.ts'

/** Connections freeze after 16 KB, of which a certificate takes three: what does not fit does not open there. */

const kilobyte = 1024
const mostOfFile = 11 * kilobyte
const mostOfFirstScreen = 20 * kilobyte
const mostOfClient = 3 * kilobyte

interface Chunk {
  readonly file: string
  /** Styles that it loads by itself. */
  readonly assets?: readonly string[]
  readonly imports?: readonly string[]
}

const folder = mkdtempSync(join(tmpdir(), 'cabinet-budgets-'))
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  for (const language of languages) await build(configOf(language, cabinetApp, join(folder, language)))
})

const known = new Map<string, number>()

const sizeOf = (path: string): number => {
  const size = known.get(path) ?? brotliCompressSync(readFileSync(path)).length
  known.set(path, size)
  return size
}

/** The files of a source and of everything it imports. */
const filesOf = (manifest: Readonly<Record<string, Chunk>>, source: string): Set<string> => {
  const chunk = manifest[source]
  if (!chunk) throw new Error(`${source} is not in the build`)
  return new Set([
    chunk.file,
    ...(chunk.assets ?? []),
    ...(chunk.imports ?? []).flatMap((one) => [...filesOf(manifest, one)]),
  ])
}

const sizesOf = (language: string) => {
  const at = join(folder, language)
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8'))
  const style = manifest['style.css']?.file ?? ''
  return (screen: string): number => {
    const files = new Set([
      style,
      ...filesOf(manifest, 'cabinet/main.tsx'),
      ...filesOf(manifest, `cabinet/screens/${screen}/${screen}.tsx`),
    ])
    return [...files].reduce((sum, file) => sum + sizeOf(join(at, file)), 0)
  }
}

describe.each(languages)('the cabinet in %s', (language) => {
  test('has no file that a frozen connection would cut', () => {
    const assets = join(folder, language, 'assets')
    const large = readdirSync(assets)
      .map((name) => [name, sizeOf(join(assets, name))] as const)
      .filter(([, size]) => size > mostOfFile)
    expect(large).toEqual([])
  })

  test.each(['home', 'sign-in'])('opens %s with little', (screen) => {
    expect(sizesOf(language)(screen)).toBeLessThanOrEqual(mostOfFirstScreen)
  })

  test('asks of no screen more than a phone loads in a second', () => {
    const sizes = sizesOf(language)
    const large = [...new Set(cabinetPages.map(({ screen }) => screen))]
      .map((screen) => [screen, sizes(screen)] as const)
      .filter(([, size]) => size > 1.6 * mostOfFirstScreen)
    expect(large).toEqual([])
  })
})

test('the client for browsers knows every operation and no schema', async () => {
  const [name, id] = ['client', '\0client']
  const config = configOf('en', { ...cabinetApp, input: [name] }, join(folder, 'client'))
  const code = `import { clientOf } from '@sallyport/contract/client/core'
import { operations } from 'virtual:operations/first'
import { operations as more } from 'virtual:operations/more'
globalThis.api = clientOf({ ...operations, ...more }, { baseUrl: '/v1' })`
  const client = {
    name,
    resolveId: (asked: string) => (asked === name ? id : undefined),
    load: (asked: string) => (asked === id ? code : undefined),
  }
  await build({ ...config, plugins: [client, ...(config.plugins ?? [])] })
  const assets = join(folder, 'client', 'assets')
  const sum = readdirSync(assets).reduce((all, file) => all + sizeOf(join(assets, file)), 0)
  expect(sum).toBeLessThanOrEqual(mostOfClient)
  expect(operationsModule('first') + operationsModule('more')).toContain('listCloudServers')
})
