import { type LoadResult, load } from './load.ts'
import type { Customer } from './seed.ts'
import { cpuSeconds, residentMegabytes, type Scenario, type Target } from './targets.ts'

export interface Round {
  readonly requestsPerSecond: number
  readonly cpuMicroseconds: number | undefined
}

export interface Measured {
  readonly name: string
  readonly rounds: Round[]
  readonly latenciesMs: number[]
  readonly statuses: Map<number, number>
  residentMegabytes: number | undefined
}

export interface Effort {
  readonly seconds: number
  readonly rounds: number
  readonly connections: number
}

/** One customer after another, in the shuffled order: every account is asked for equally often. */
export const eachInTurn = <T>(items: readonly T[], requestFor: (item: T) => string): (() => string) => {
  const requests = items.map(requestFor)
  let at = 0
  return () => requests[at++ % requests.length] as string
}

const warmUpSeconds = 3
/** Long enough for every device to become a known one. */
const introductionSeconds = 15

const addRound = (measured: Measured, result: LoadResult, cpuUsed: number | undefined): void => {
  measured.rounds.push({
    requestsPerSecond: result.requests / result.seconds,
    cpuMicroseconds: cpuUsed === undefined ? undefined : (cpuUsed / result.requests) * 1e6,
  })
  for (const latency of result.latenciesMs) measured.latenciesMs.push(latency)
  for (const [status, count] of result.statuses)
    measured.statuses.set(status, (measured.statuses.get(status) ?? 0) + count)
}

/** Rounds are interleaved, a-b-c-a-b-c, so that whatever else the machine does meets all targets alike. */
export const measure = async (
  targets: readonly Target[],
  scenario: Scenario,
  customers: readonly Customer[],
  { seconds, rounds, connections }: Effort,
): Promise<Measured[]> => {
  const runs = targets.map((target) => {
    const next = eachInTurn(customers, (customer) => target.requestFor(scenario, customer))
    const measured: Measured = {
      name: target.name,
      rounds: [],
      latenciesMs: [],
      statuses: new Map(),
      residentMegabytes: undefined,
    }
    return { target, next, measured }
  })
  const warmUp = scenario === 'device' ? introductionSeconds : Math.min(seconds, warmUpSeconds)
  for (const { target, next } of runs) {
    await load({ port: target.port, connections, seconds: warmUp, next })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { target, next, measured } of runs) {
      const cpuBefore = cpuSeconds(target)
      const result = await load({ port: target.port, connections, seconds, next })
      const cpuAfter = cpuSeconds(target)
      addRound(
        measured,
        result,
        cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
      )
      measured.residentMegabytes = residentMegabytes(target)
    }
  }
  return runs.map(({ measured }) => measured)
}
