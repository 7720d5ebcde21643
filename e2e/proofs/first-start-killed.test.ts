import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectWholeDemo } from '../support/demo.ts'
import { makePlace, type ServiceProcess } from '../support/process.ts'

const minutes = 60_000

interface Moment {
  readonly name: string
  readonly until: (service: ServiceProcess, dir: string) => Promise<unknown>
}

/** A process that lives for seconds gains nothing from optimising the code of its database, and is quicker so. */
const nodeFlags = ['--liftoff-only']

/** Amidst a first start on this machine, however fast it is. */
const halfway = (usualMs: number): Moment => ({ name: 'halfway', until: () => sleep(usualMs / 2) })

/** Right when a step shows in the folder, or so much later. */
const after = (what: string, name: RegExp, laterMs = 0): Moment => ({
  name: laterMs > 0 ? `a while after ${what}` : `after ${what}`,
  until: async (service, dir) => {
    while (service.isRunning && !readdirSync(dir).some((found) => name.test(found))) await sleep(1)
    await sleep(laterMs)
  },
})

const momentsOf = (usualMs: number): Moment[] => [
  halfway(usualMs),
  after('the secret key', /^secret\.key/),
  after('the database is begun', /^database\.new-/),
  after('the database is there', /^database$/, usualMs / 10),
  after('the credentials', /^credentials\.json/),
]

/** How long a first start takes that nobody disturbs. */
const undisturbed = async (): Promise<number> => {
  const service = (await makePlace({ nodeFlags })).launch()
  const readyMs = await service.untilReady()
  expect(await service.terminate()).toEqual({ code: 0, signal: null })
  return readyMs
}

const killAndStartAgain = async ({ name, until }: Moment): Promise<string> => {
  const place = await makePlace({ nodeFlags })
  const first = place.launch()
  await until(first, place.dataDir)
  await first.kill()
  const left = readdirSync(place.dataDir).sort().join(', ')
  const second = await place.start()
  await expectWholeDemo(second.url, place.dataDir)
  expect(await second.terminate()).toEqual({ code: 0, signal: null })
  return `killed ${name}: left ${left || 'nothing'}`
}

test('a first start that is killed is followed by one that works', { timeout: 10 * minutes }, async () => {
  const moments = momentsOf(await undisturbed())
  const waiting = [...moments]
  const lines: string[] = []
  const work = async () => {
    for (let moment = waiting.shift(); moment; moment = waiting.shift())
      lines.push(await killAndStartAgain(moment))
  }
  await Promise.all([work(), work()])
  console.log(lines.join('\n'))
  expect(lines).toHaveLength(moments.length)
})
