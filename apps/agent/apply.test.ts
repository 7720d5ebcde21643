import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Access, DesiredState } from '@sallyport/contract/agent/agent'
import { stateHash } from '@sallyport/domain/vpn/engine/state-hash'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Applier, notCarriedOf } from './apply.ts'
import type { Served } from './common/reconcile.ts'
import type { Trouble } from './engines/common/engine.ts'

let directory: string
let served: Served | null
let troubles: Trouble[]
const engine = {
  apply: async (state: Served) => {
    if (troubles.length === 0) served = state
    return troubles
  },
}
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-apply-'))
  served = null
  troubles = []
})
afterEach(() => rm(directory, { recursive: true }))

const access = (id: string, revision: number): Access => ({
  id,
  revision,
  kind: 'shared',
  inbound: 'in',
  account: { protocol: 'vless', uuid: 'u', flow: '' },
})
const [c1, c2] = [access('c1', 1), access('c2', 2)]
const answer = (
  kind: DesiredState['kind'],
  revision: number,
  whole: Access[],
  accesses = whole,
): DesiredState => ({
  kind,
  revision,
  hash: stateHash(whole),
  inbounds: [],
  accesses,
  removed: [],
  trials: [],
})

test('a snapshot, then a delta, then after a restart the same from disk', async () => {
  const applier = await Applier.open(directory, engine)
  expect(applier.since).toBe(0)
  expect(await applier.take(answer('snapshot', 1, [c1]))).toBe(true)
  expect(await applier.take(answer('delta', 2, [c1, c2], [c2]))).toBe(true)
  expect(applier.applied).toEqual({ revision: 2, hash: stateHash([c1, c2]) })
  served = null
  const restarted = await Applier.open(directory, engine)
  expect(restarted.since).toBe(2)
  await restarted.again()
  expect(served).toMatchObject({ accesses: [c1, c2] })
})

test('a delta that does not add up changes nothing and asks for a snapshot', async () => {
  const applier = await Applier.open(directory, engine)
  await applier.take(answer('snapshot', 1, [c1]))
  expect(await applier.take(answer('delta', 3, [c1, c2, access('c3', 3)], [c2]))).toBe(false)
  expect(applier.since).toBe(0)
  expect(applier.applied.revision).toBe(1)
  expect(served).toMatchObject({ accesses: [c1] })
  expect(await applier.take(answer('snapshot', 3, [c2]))).toBe(true)
  expect(applier.since).toBe(3)
})

test('unchanged with another hash asks for a snapshot', async () => {
  const applier = await Applier.open(directory, engine)
  await applier.take(answer('snapshot', 1, [c1]))
  expect(await applier.take(answer('unchanged', 1, [c2], []))).toBe(false)
  expect(applier.since).toBe(0)
})

test('an engine that fails is reported, the state stays on disk, and a second try settles it', async () => {
  const applier = await Applier.open(directory, engine)
  await applier.take(answer('snapshot', 1, [c1]))
  troubles = [
    { id: null, revision: null, reason: 'port 443 is taken' },
    { id: 'c2', revision: 2, reason: `c2: ${'x'.repeat(600)}` },
  ]
  expect(await applier.take(answer('delta', 2, [c1, c2], [c2]))).toBe(true)
  expect(applier.error).toMatch(/^port 443 is taken; c2: x+$/)
  expect(applier.error).toHaveLength(500)
  expect(applier.refused).toEqual([{ id: 'c2', revision: 2, reason: `c2: ${'x'.repeat(496)}` }])
  expect(applier.applied.revision).toBe(1)
  expect(applier.since).toBe(2)
  troubles = []
  await applier.again()
  expect(applier.error).toBeNull()
  expect(applier.refused).toEqual([])
  expect(applier.applied.revision).toBe(2)
})

test('refused accesses are named and tried again, and hold up nobody else', async () => {
  const applier = await Applier.open(directory, engine)
  troubles = [{ id: 'c2', revision: 2, reason: 'c2: no' }]
  await applier.take(answer('snapshot', 2, [c1, c2]))
  expect(applier.applied).toEqual({ revision: 2, hash: stateHash([c1, c2]) })
  expect(applier.error).toBe('c2: no')
  expect(applier.refused).toEqual([{ id: 'c2', revision: 2, reason: 'c2: no' }])
  expect((await Applier.open(directory, engine)).applied.revision).toBe(2)
  troubles = []
  await applier.again()
  expect(applier.error).toBeNull()
})

test('a state that cannot be written is served all the same, and written when it can be', async () => {
  const applier = await Applier.open(directory, engine)
  await applier.take(answer('snapshot', 1, [c1]))
  await rm(directory, { recursive: true })
  await writeFile(directory, 'in the way')
  expect(await applier.take(answer('delta', 2, [c1, c2], [c2]))).toBe(true)
  expect(served).toMatchObject({ accesses: [c1, c2] })
  expect(applier.since).toBe(2)
  expect(applier.error).toMatch(/^the state cannot be written to disk: /)
  await rm(directory)
  await mkdir(directory)
  await applier.again()
  expect(applier.error).toBeNull()
  expect((await Applier.open(directory, engine)).since).toBe(2)
})

test('a damaged state file leads to a snapshot, not to a stop', async () => {
  await writeFile(join(directory, 'state.json'), '{"desired":')
  const applier = await Applier.open(directory, engine)
  expect(applier.since).toBe(0)
  expect(await applier.take(answer('snapshot', 4, [c1]))).toBe(true)
  expect((await Applier.open(directory, engine)).since).toBe(4)
})

test('a report names at most a hundred refused accesses', async () => {
  const applier = await Applier.open(directory, engine)
  troubles = Array.from({ length: 150 }, (_, index) => ({ id: `c${index}`, revision: 1, reason: 'no' }))
  await applier.take(answer('snapshot', 1, [c1]))
  expect(applier.refused).toHaveLength(100)
})

test('a report made at any moment says why an access was refused', async () => {
  const applier = await Applier.open(directory, engine)
  troubles = [{ id: 'c1', revision: 1, reason: 'no such inbound' }]
  const taken = applier.take(answer('snapshot', 1, [c1]))
  while (applier.refused.length === 0) await new Promise(setImmediate)
  expect([applier.error, applier.applied.revision]).toEqual(['no such inbound', 1])
  await taken
  expect(applier.error).toBe('no such inbound')
})

test('what sites are the service’s own is news by itself, and is kept on disk', async () => {
  const applier = await Applier.open(directory, engine)
  await applier.take({ ...answer('snapshot', 1, [c1]), own_targets: ['a.example.com:443'] })
  expect(served).toMatchObject({ ownTargets: ['a.example.com:443'] })
  served = null
  await applier.take({ ...answer('unchanged', 1, [c1], []), own_targets: ['a.example.com:443'] })
  expect(served).toBeNull()
  await applier.take({ ...answer('unchanged', 1, [c1], []), own_targets: ['b.example.com:443'] })
  expect(served).toMatchObject({ accesses: [c1], ownTargets: ['b.example.com:443'] })
  const restarted = await Applier.open(directory, engine)
  served = null
  await restarted.again()
  expect(served).toMatchObject({ accesses: [c1], ownTargets: ['b.example.com:443'] })
  await restarted.take(answer('unchanged', 1, [c1], []))
  expect(served).toMatchObject({ accesses: [c1], ownTargets: undefined })
})

test('what is not served is told in a bounded way, those of one inbound by its tag', () => {
  const own = Array.from({ length: 6000 }, (_, at) => ({ id: `a${at}`, revision: 1, reason: 'x' }))
  const closed = Array.from({ length: 600 }, (_, at) => ({
    id: null,
    revision: null,
    reason: 'y'.repeat(600),
    inbound: `vless-${at}`,
  }))
  const told = notCarriedOf([...own, ...closed])
  expect([told.accesses.length, told.inbounds.length, told.unfit.length]).toEqual([5000, 500, 0])
  expect(told.inbounds[0]).toEqual({ tag: 'vless-0', reason: 'y'.repeat(500) })
})

test('what the customer wrote is told apart, and each once', () => {
  const port = { id: 'a1', revision: 1, reason: 'port 9 is taken' }
  const written = { id: 'a2', revision: 1, reason: 'no such site', isUnfit: true }
  const general = { id: null, revision: null, reason: 'no disk' }
  expect(notCarriedOf([port, port, written, general])).toEqual({
    inbounds: [],
    accesses: ['a1'],
    unfit: ['a2'],
  })
})
