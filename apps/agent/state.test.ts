import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nothingKept, readIdentity, readState, writeIdentity, writeState } from './state.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-state-'))
})
afterEach(() => rm(directory, { recursive: true }))

const kept = {
  desired: {
    revision: 7,
    inbounds: [],
    accesses: [
      {
        id: 'c1',
        revision: 7,
        kind: 'shared' as const,
        inbound: 'in',
        account: { protocol: 'vless' as const, uuid: 'u', flow: '' as const },
      },
    ],
  },
  applied: { revision: 6, hash: '0000000000000001' },
}

test('a new node has kept nothing', async () => {
  expect(await readState(directory)).toEqual(nothingKept)
  expect(await readIdentity(directory)).toBeNull()
})

test('what was written is read again', async () => {
  await writeState(directory, kept)
  expect(await readState(directory)).toEqual(kept)
})

test.each([
  ['cut short', (text: string) => text.slice(0, 40)],
  ['not an object', () => '[]'],
  ['altered', (text: string) => text.replace('"c1"', '"c2"')],
  ['of an agent that knew no kinds', (text: string) => text.replace('"kind":"shared",', '')],
  ['of kinds that this agent does not know', (text: string) => text.replace('"shared"', '"later"')],
])('a state file that is %s counts as damaged', async (_how, damage) => {
  await writeState(directory, kept)
  const path = join(directory, 'state.json')
  await writeFile(path, damage(await readFile(path, 'utf8')))
  expect(await readState(directory)).toBeNull()
})

test('the identity is for its owner only, and a damaged one is an error', async () => {
  const identity = { nodeId: 3, privateKey: { kty: 'OKP', crv: 'Ed25519', d: 'd', x: 'x' } }
  await writeIdentity(directory, identity)
  expect(await readIdentity(directory)).toEqual(identity)
  const path = join(directory, 'identity.json')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await writeFile(path, '{}')
  await expect(readIdentity(directory)).rejects.toThrow(/identity\.json is damaged/)
})
