import { expect, test } from 'vitest'
import type { Engine, Trouble } from './engine.ts'
import type { Located } from './locate.ts'
import { EngineSlot } from './slot.ts'

const nobody = { inbounds: [], accesses: [] }
const found: Located = { state: 'found', path: '/bin/x', version: '1.2.3' }
const missing: Located = { state: 'missing', version: null, reason: 'mtg is not installed' }

const engine = (apply: () => Promise<Trouble[]>): Engine => ({
  health: () => ({ name: 'mtg', state: 'running', version: '1.2.3', detail: null }),
  apply,
  troubles: () => [],
  traffic: () => Promise.reject(new Error('no answer')),
  stop: async () => {},
})

const slotOf = (locate: () => Promise<Located>, create: () => Promise<Engine>) => {
  const messages: string[] = []
  const slot = new EngineSlot({ name: 'mtg', locate, create, log: (message) => messages.push(message) })
  return { slot, messages }
}

test('a missing engine is looked for again, spoken of once, and no trouble by itself', async () => {
  let located: Located = missing
  const { slot, messages } = slotOf(
    async () => located,
    async () => engine(async () => []),
  )
  expect(await slot.fill()).toBe(false)
  expect(await slot.fill()).toBe(false)
  expect(slot.health()).toEqual({
    name: 'mtg',
    state: 'missing',
    version: null,
    detail: 'mtg is not installed',
  })
  expect(await slot.apply(nobody)).toEqual([])
  expect(await slot.traffic()).toEqual([])
  located = found
  expect(await slot.fill()).toBe(true)
  expect(await slot.fill()).toBe(false)
  expect(slot.health().state).toBe('running')
  expect(messages).toEqual(['mtg is not installed', 'mtg 1.2.3 found at /bin/x'])
})

test('an engine that cannot be set up is told of in its health', async () => {
  const { slot } = slotOf(
    async () => found,
    () => Promise.reject(new Error('no room')),
  )
  expect(await slot.fill()).toBe(false)
  expect(slot.health()).toMatchObject({
    state: 'crashed',
    version: '1.2.3',
    detail: 'mtg cannot be set up: no room',
  })
})

test('an engine that fails fails alone', async () => {
  const { slot, messages } = slotOf(
    async () => found,
    async () => engine(() => Promise.reject(new Error('broken'))),
  )
  await slot.fill()
  expect(await slot.apply(nobody)).toEqual([{ id: null, revision: null, reason: 'mtg: broken' }])
  expect(await slot.traffic()).toEqual([])
  expect(messages.at(-1)).toBe('metering mtg: no answer')
})

test('an engine that cannot be set up leaves its own without, and says nothing of the others', async () => {
  const { slot } = slotOf(
    async () => found,
    async () => Promise.reject(new Error('no cell')),
  )
  const own = { id: 'a1', revision: 3, kind: 'mtproto', listen: '', port: 1, secret: '' } as const
  const another = { ...own, id: 'a2', kind: 'proxy', protocol: 'http', user: 'u', password: 'p' } as const
  await slot.fill()
  await slot.apply({ inbounds: [], accesses: [own, another] })
  expect(slot.troubles()).toEqual([
    { id: 'a1', revision: 3, reason: expect.stringContaining('mtg cannot be set up: no cell') },
  ])
})

test('one that is missing is told by its health alone: some sell without', async () => {
  const { slot } = slotOf(
    async () => missing,
    async () => engine(async () => []),
  )
  await slot.fill()
  const access = { id: 'a1', revision: 3, kind: 'mtproto', listen: '', port: 1, secret: '' } as const
  await slot.apply({ inbounds: [], accesses: [access] })
  expect(slot.troubles()).toEqual([])
})
