import { expect, test } from 'vitest'
import { type Place, type Port, refusalOf, schemaRefusal, type Turn, turnOf, type Wish } from './turn.ts'

type Running = 'running' | 'stopped'
type Enabled = 'enabled' | 'disabled'
const place = (port: Port, release: string | undefined, running: Running, enabled: Enabled): Place => ({
  port,
  release,
  isRunning: running === 'running',
  isEnabled: enabled === 'enabled',
})
const nothing = (port: Port) => place(port, undefined, 'stopped', 'disabled')

test.each<[string, string, Place[], Turn]>([
  [
    'the first upgrade',
    'A',
    [place(8081, 'A', 'running', 'enabled'), nothing(8082)],
    { serving: 8081, free: 8082, hasLeftover: false },
  ],
  [
    'the second',
    'B',
    [place(8081, 'A', 'stopped', 'disabled'), place(8082, 'B', 'running', 'enabled')],
    { serving: 8082, free: 8081, hasLeftover: false },
  ],
  [
    'a service that is stopped',
    'B',
    [place(8081, 'A', 'stopped', 'disabled'), place(8082, 'B', 'stopped', 'enabled')],
    { serving: undefined, free: 8082, hasLeftover: false },
  ],
  [
    'a service that was never started',
    'A',
    [nothing(8081), nothing(8082)],
    { serving: undefined, free: 8081, hasLeftover: false },
  ],
  [
    'cut off before the switch',
    'A',
    [place(8081, 'A', 'running', 'enabled'), place(8082, 'B', 'running', 'disabled')],
    { serving: 8081, free: 8082, hasLeftover: true },
  ],
  [
    'cut off after the switch',
    'B',
    [place(8081, 'A', 'running', 'enabled'), place(8082, 'B', 'running', 'disabled')],
    { serving: 8082, free: 8081, hasLeftover: true },
  ],
  [
    'the current one twice',
    'A',
    [place(8081, 'A', 'running', 'disabled'), place(8082, 'A', 'running', 'enabled')],
    { serving: 8082, free: 8081, hasLeftover: true },
  ],
  [
    'another than the current one alone',
    'B',
    [place(8081, 'A', 'running', 'enabled'), nothing(8082)],
    { serving: 8081, free: 8082, hasLeftover: false },
  ],
])('%s', (_what, current, places, turn) => {
  expect(turnOf(current, places)).toEqual(turn)
})

const wish: Wish = { version: '0.2.0', arch: 'x64', current: '0.1.0', isBack: false }

test.each<[string, Partial<Wish>, RegExp | undefined]>([
  ['a newer one', {}, undefined],
  ['another architecture', { arch: 'arm64' }, /made for arm64, and this machine is x64/],
  ['an older one', { current: '0.3.0' }, /older than 0\.3\.0.*--back/],
  ['an older one, asked for', { current: '0.3.0', isBack: true }, undefined],
  ['a newer one as the one before', { isBack: true }, /newer than 0\.1\.0.*leave out --back/],
])('%s', (_what, change, refusal) => {
  const told = refusalOf({ ...wish, ...change }, 'x64')
  if (refusal) expect(told).toMatch(refusal)
  else expect(told).toBeUndefined()
})

test('a release that knows less than the database is taken only for going back', () => {
  const ahead = { pending: [], unknown: ['0049_more.sql'], changed: [] }
  expect(schemaRefusal(ahead, wish)).toMatch(/ahead of release 0\.2\.0: it has 0049_more\.sql/)
  expect(schemaRefusal(ahead, { ...wish, isBack: true })).toBeUndefined()
  const foreign = { pending: [], unknown: [], changed: ['0001_people.sql'] }
  expect(schemaRefusal(foreign, { ...wish, isBack: true })).toMatch(/another text.*0001_people\.sql/)
  expect(schemaRefusal({ pending: ['0049_more.sql'], unknown: [], changed: [] }, wish)).toBeUndefined()
})
