import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { releaseOf, Upgrades } from './upgrade.ts'

const [older, newer] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb']
const wish = { id: '0b7c1f52-6c1e-4f0e-9d3b-2a4f8f5f6c11', release: newer }

let stateDir: string
let said: string[]
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'sallyport-upgrade-'))
  onTestFinished(() => rm(stateDir, { recursive: true }))
  said = []
})

const agent = (release: string | null = older) =>
  new Upgrades({
    stateDir,
    log: (message) => said.push(message),
    release,
    unit: join(stateDir, 'unit'),
    outcome: join(stateDir, 'outcome'),
  })
const watch = () => writeFile(join(stateDir, 'unit'), `[Path]\nPathExists=${stateDir}/upgrade\n`)
const request = () => readFile(join(stateDir, 'upgrade'), 'utf8').catch(() => null)

test('the release is known by where the program lies', () => {
  expect(releaseOf('file:///opt/sallyport-agent/c63b81e457a32398/agent.mjs')).toBe('c63b81e457a32398')
  expect(releaseOf('file:///opt/sallyport-agent/current/agent.mjs')).toBeNull()
  expect(releaseOf('file:///home/me/c63b81e457a32398/agent.mjs')).toBeNull()
  expect(releaseOf(import.meta.url)).toBeNull()
})

test('a wish is left to the machine once, also when the agent was started anew', async () => {
  await watch()
  expect(await agent().follow(wish)).toBe(true)
  expect(await request()).toBe(`${newer} ${wish.id}\n`)
  await rm(join(stateDir, 'upgrade'))
  expect(await agent().follow(wish)).toBe(false)
  expect(await request()).toBeNull()
  expect((await agent().report()).upgrade).toEqual({ is_possible: true, wish_id: wish.id, failure: null })
})

test('another wish for the same release is another try', async () => {
  await watch()
  await agent().follow(wish)
  await rm(join(stateDir, 'upgrade'))
  await agent().follow({ ...wish, id: wish.id.replace('0', '1') })
  expect(await request()).toContain(newer)
})

test('nothing is left where nobody waits for it', async () => {
  expect(await agent().follow(wish)).toBe(true)
  expect(await request()).toBeNull()
  expect(said.at(-1)).toContain('run the line of the installer')
  expect((await agent().report()).upgrade.is_possible).toBe(false)
  await watch()
  expect(await agent(null).report()).toEqual({
    agent_release: null,
    upgrade: { is_possible: false, wish_id: wish.id, failure: null },
  })
})

test('who runs it already has nothing to do, and services that wish nothing are left alone', async () => {
  await watch()
  expect(await agent(newer).follow(wish)).toBe(true)
  expect(await agent(newer).follow(null)).toBe(false)
  expect(await agent(newer).follow(undefined)).toBe(false)
  expect(await request()).toBeNull()
})

test('why it did not work is told of the wish that it is about, and no longer once it works', async () => {
  await watch()
  await agent().follow(wish)
  await writeFile(join(stateDir, 'outcome'), `another\nold news\n`)
  expect((await agent().report()).upgrade.failure).toBeNull()
  await writeFile(join(stateDir, 'outcome'), `${wish.id}\nit did not come up\n`)
  expect((await agent().report()).upgrade.failure).toBe('it did not come up')
  expect((await agent(newer).report()).upgrade.failure).toBeNull()
})

test('a damaged note of the last wish is none', async () => {
  await watch()
  await writeFile(join(stateDir, 'upgrade-wish'), '{')
  expect((await agent().report()).upgrade.wish_id).toBeNull()
  expect(await agent().follow(wish)).toBe(true)
})
