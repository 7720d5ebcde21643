import type { EngineHealth } from '@sallyport/contract/agent/agent'
import { expect, test } from 'vitest'
import type { EngineTraffic, Trouble } from '../common/engine.ts'
import { XrayPair } from './xray-pair.ts'

const nobody = { inbounds: [], accesses: [] }
const fake = (
  state: EngineHealth['state'],
  detail: string | null,
  apply: () => Promise<Trouble[]> = async () => [],
  traffic: () => Promise<EngineTraffic[]> = async () => [],
) => ({
  health: (): EngineHealth => ({ name: 'xray', state, version: '1', detail }),
  apply,
  troubles: () => [],
  traffic,
  stop: async () => {},
  tryConfig: async () => ({ isAccepted: true, reason: null }),
})

test.each([
  ['running', 'crashed', 'running'],
  ['crashed', 'running', 'crashed'],
  ['idle', 'running', 'running'],
  ['idle', 'crashed', 'starting'],
  ['idle', 'idle', 'idle'],
] as const)('shared %s and personal %s are %s', (shared, personal, joined) => {
  expect(new XrayPair(fake(shared, 'a'), fake(personal, null)).health()).toEqual({
    name: 'xray',
    state: joined,
    version: '1',
    detail: 'a',
  })
})

test('one that fails leaves the other its work and its counters', async () => {
  const trouble = { id: 'c1', revision: 2, reason: 'no' }
  const counters = { bootId: 'b', users: [] }
  const failing = () => Promise.reject(new Error('broken'))
  const pair = new XrayPair(
    fake('running', 'a', failing, failing),
    fake(
      'running',
      'b',
      async () => [trouble],
      async () => [counters],
    ),
  )
  expect(await pair.apply(nobody)).toEqual([{ id: null, revision: null, reason: 'broken' }, trouble])
  expect(await pair.traffic()).toEqual([counters])
  expect(pair.health().detail).toBe('a; b')
})

test('that only own sites are borrowed is said of both', () => {
  const [shared, personal] = [fake('running', null), fake('running', null)]
  const health = () => ({ ...personal.health(), own_sites_only: true })
  expect(new XrayPair(shared, { ...personal, health }).health().own_sites_only).toBe(true)
  expect(new XrayPair(shared, personal).health()).not.toHaveProperty('own_sites_only')
})
