import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectWholeDemo } from '../support/demo.ts'
import { makePlace, type ServiceProcess } from '../support/process.ts'

const minutes = 60_000

/** How long a first start takes that nobody disturbs. */
let usualMs: number

interface Moment {
  readonly name: string
  readonly until: (service: ServiceProcess, dir: string) => Promise<unknown>
}

/** A process that lives for seconds gains nothing from optimising the code of its database, and is quicker so. */
const nodeFlags = ['--liftoff-only']

/** Amidst a first start on this machine, however fast it is. */
const amidst: Moment = { name: 'halfway', until: () => sleep(usualMs / 2) }

/** Right when a step shows in the folder, or that part of a first start later. */
const rightAfter = (what: string, name: RegExp, part = 0): Moment => ({
  name: `${Math.round(part * 100)} % after ${what}`,
  until: async (service, dir) => {
    while (service.isRunning && !readdirSync(dir).some((found) => name.test(found))) await sleep(1)
    await sleep(usualMs * part)
  },
})
const steps = [
  rightAfter('the secret key', /^secret\.key/),
  rightAfter('the database is begun', /^database\.new-/),
  rightAfter('the database is there', /^database$/, 0.1),
  rightAfter('the credentials', /^credentials\.json/),
]
const moments = [amidst, ...steps]

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
  usualMs = await undisturbed()
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
