import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineNames } from '@sallyport/contract/agent/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineKinds, isOlder, judgeVersion, locateEngine, locateXray } from './locate.ts'

const { xray, amneziawg, mtg } = engineKinds
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-locate-'))
})
afterAll(() => rm(folder, { recursive: true }))

const program = async (name: string, prints: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\ncat <<'END'\n${prints}\nEND\n`)
  await chmod(path, 0o755)
  return path
}

test.each([
  [
    xray,
    'Xray 26.3.27 (Xray, Penetrates Everything.) Custom (go1.26.8 linux/amd64)\nA platform.\n',
    '26.3.27',
  ],
  [xray, 'V2Ray 5.1.0', null],
  [amneziawg, 'amneziawg-go 0.0.20250522\n\nUserspace AmneziaWG daemon for linux-amd64.\n', '0.0.20250522'],
  [amneziawg, 'wireguard-go v0.0.20230223', null],
  [mtg, '2.2.8 (go1.26.8: 2026-11-15T06:24:27Z on , modules checksum eko/wEuO=)\n', '2.2.8'],
  [mtg, 'dev (go1.26.8: 2026-11-15T06:24:27Z on , modules checksum eko/wEuO=)\n', null],
])('$0.name: reads the version from what is really printed', (kind, output, version) => {
  expect(kind.parse(output)).toBe(version)
})

test.each([
  ['26.3.26', true],
  ['25.12.31', true],
  ['1.8.24', true],
  ['26.3.27', false],
  ['26.7.28', false],
  ['26.10.1', false],
])('%s is older than 26.3.27: %s', (version, older) => {
  expect(isOlder(version, '26.3.27')).toBe(older)
})

test('an old engine is refused with the reason and the remedy', () => {
  expect(judgeVersion(xray, '/usr/bin/xray', '1.8.24')).toMatchObject({
    state: 'refused',
    version: '1.8.24',
    reason: expect.stringMatching(/older than 26\.3\.27.*npm run engines:install/),
  })
})

test('a version that is known to break something is refused with what it breaks', () => {
  const kind = { ...xray, refusals: [{ version: '27.1.1', reason: 'it forgets users' }] }
  expect(judgeVersion(kind, '/usr/bin/xray', '27.1.1')).toMatchObject({
    state: 'refused',
    reason: expect.stringContaining('it forgets users'),
  })
  expect(judgeVersion(kind, '/usr/bin/xray', '27.1.2')).toMatchObject({ state: 'found' })
})

test.each(engineNames)('a missing %s says how to install it', async (name) => {
  const located = await locateEngine(name, { PATH: '/nowhere', XDG_CACHE_HOME: '/nowhere' })
  expect(located).toMatchObject({
    state: 'missing',
    reason: expect.stringContaining('npm run engines:install'),
  })
  const named = await locateEngine(name, { [engineKinds[name].variable]: '/nowhere/engine' })
  expect(named).toMatchObject({ state: 'missing', reason: expect.stringContaining('/nowhere/engine') })
})

test('a program that is not Xray is refused', async () => {
  expect(await locateXray({ SALLYPORT_XRAY: '/bin/true' })).toMatchObject({ state: 'refused' })
})

test('an engine is found in the PATH before the cache', async () => {
  const path = await program('mtg', '2.3.0 (go1.26.8)')
  expect(await locateEngine('mtg', { PATH: folder, XDG_CACHE_HOME: '/nowhere' })).toEqual({
    state: 'found',
    path,
    version: '2.3.0',
  })
})

test('the version beside a program is believed before the one it prints, if the program is the right one', async () => {
  const path = await program('amneziawg-go', 'amneziawg-go 0.0.20250522')
  const env = { SALLYPORT_AMNEZIAWG: path }
  expect(await locateEngine('amneziawg', env)).toMatchObject({ state: 'found', version: '0.0.20250522' })
  await writeFile(`${path}.version`, '0.2.19\n')
  expect(await locateEngine('amneziawg', env)).toMatchObject({ state: 'found', version: '0.2.19' })
  await program('amneziawg-go', 'something else 1.2.3')
  expect(await locateEngine('amneziawg', env)).toMatchObject({ state: 'refused', version: null })
})
