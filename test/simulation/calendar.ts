import { closeCabinets, workInCabinets } from './cabinet.ts'
import { type Customer, signUp } from './customer.ts'
import { act } from './customers.ts'
import { Dice, inBatches } from './dice.ts'
import { workInOffice } from './office.ts'
import { changeHands } from './options/hands.ts'
import { payDue } from './paying.ts'
import { endFaults } from './providers.ts'
import type { World } from './world.ts'

/** How the days pass. */

export interface Size {
  readonly customers: number
  readonly days: number
  /** How many of them come by on a day, on average, once all are there. */
  readonly actsPerDay: number
  /** How often the jobs run, on average: once or twice on a day, or not every day. */
  readonly roundsPerDay: number
  /** How much the operator does, of what one with hundreds of customers would. */
  readonly officeShare: number
  /** How often each node reports, on average. */
  readonly reportsPerDay: number
}

const daySeconds = 86_400
const minuteSeconds = 60
const hourSeconds = 3600

/** A third comes in the first month, the rest over most of the year. */
const arrivalDay = (seed: number, index: number, days: number): number => {
  const dice = new Dice(seed, 200, index)
  return dice.chance(0.35) ? dice.int(0, 29) : dice.int(30, Math.floor(days * 0.8))
}

/** What has become due at this moment: payments, news of them, and perhaps the service's own work. */
const settleUp = async (world: World, dice: Dice, jobsShare = 1): Promise<void> => {
  await payDue(world)
  await world.courier.deliverDue()
  if (dice.chance(jobsShare)) await world.runJobs(dice.chance(0.4))
}

/** Paid orders wait ten minutes for a server; then their money is credited. */
const sitOutOutage = async (world: World, dice: Dice): Promise<void> => {
  for (let look = 0; look < 2; look++) {
    await world.goTo(world.now() + 11 * minuteSeconds)
    await settleUp(world, dice)
  }
}

const comeBy = async (
  world: World,
  customers: readonly Customer[],
  day: number,
  size: Size,
): Promise<void> => {
  const share = size.actsPerDay / size.customers
  const dices = customers.map((customer) => ({
    customer,
    dice: new Dice(world.seed, 300, day, customer.index),
  }))
  const present = dices.filter(({ customer, dice }) => dice.chance(share * customer.zeal * 0.77))
  const order = new Dice(world.seed, 301, day).shuffled(present)
  for (let at = 0; at < order.length; at += 8) {
    await inBatches(order.slice(at, at + 8), ({ customer, dice }) => act(world, customer, dice))
    await world.goTo(world.now() + 7)
  }
}

const passDay = async (world: World, customers: Customer[], day: number, size: Size): Promise<void> => {
  const dice = new Dice(world.seed, 400, day)
  const morning = world.now() + dice.int(0, 3 * hourSeconds)
  await world.goTo(morning)
  for (let index = 0; index < size.customers; index++) {
    if (arrivalDay(world.seed, index, size.days) === day)
      customers.push(await signUp(world, index, customers))
  }
  await comeBy(world, customers, day, size)
  await world.machines?.passDay(day)
  const hasOutage = dice.chance(0.07)
  if (hasOutage) world.goOffline(hourSeconds)
  await world.goTo(world.now() + dice.int(5, 50) * minuteSeconds)
  await settleUp(world, dice, hasOutage ? 1 : size.roundsPerDay - 1)
  if (hasOutage) await sitOutOutage(world, dice)
  await world.goTo(morning + dice.int(5, 11) * hourSeconds)
  await world.meters?.passDay(day, size.reportsPerDay)
  await changeHands(world, customers, day, size.officeShare)
  workInCabinets(world, day, size.officeShare)
  await workInOffice(world, day, size.officeShare)
  await world.goTo(world.now() + 2)
  await settleUp(world, dice, size.roundsPerDay)
}

export const passYear = async (world: World, size: Size): Promise<Customer[]> => {
  const customers: Customer[] = []
  const start = world.now()
  for (let day = 0; day < size.days; day++) {
    await passDay(world, customers, day, size)
    await world.goTo(start + (day + 1) * daySeconds)
  }
  return customers
}

const quietDays = 24

/** Nobody does anything any more, nothing fails, and everything comes to its end. */
export const comeToRest = async (world: World): Promise<void> => {
  endFaults(world.providers)
  world.machines?.endFaults()
  for (let half = 0; half < 6; half++) {
    await world.goTo(world.now() + 12 * hourSeconds)
    await settleUp(world, new Dice(world.seed, 500, half))
  }
  closeCabinets(world)
  await world.courier.deliverAll()
  for (let hour = 0; hour < 24; hour += 4) {
    await world.runJobs(true)
    await world.goTo(world.now() + 4 * hourSeconds)
  }
  for (let day = 0; day < quietDays; day++) {
    await world.runJobs(true)
    await world.courier.deliverAll()
    await world.goTo(world.now() + daySeconds)
  }
  await world.runJobs(true)
  for (let look = 0; look < 12; look++) await world.machines?.tend()
  await world.runJobs(true)
}
