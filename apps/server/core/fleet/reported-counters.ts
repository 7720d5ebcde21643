import type { TrafficCounter } from '@sallyport/contract/agent/report'
import { accessIdOf, isCopy } from './placements.ts'

/** The counters of a report as the database takes them: columns, each written as an array of PostgreSQL. */
export interface Reading {
  readonly bootIds: string
  readonly accessIds: string
  readonly ups: string
  readonly downs: string
  /** How many the report had. */
  readonly given: number
  /** How many are left without repetitions, those with names that are not ours among them. */
  readonly told: number
  readonly hasCopies: boolean
  /** No access is there twice, nor as a copy. */
  readonly isPlain: boolean
}

interface Known {
  readonly bootId: string
  readonly accessId: number
  readonly up: number
  readonly down: number
}

/** By access, as tables and indexes lie, so that neighbours are found and written together and nodes wait for each other in one order. */
const inOrder = (one: Known, other: Known): number =>
  one.accessId - other.accessId || (one.bootId < other.bootId ? -1 : Number(one.bootId > other.bootId))

const isSame = (one: Known, other: Known): boolean =>
  one.accessId === other.accessId && one.bootId === other.bootId

const larger = (one: Known, other: Known): Known => ({
  ...one,
  up: Math.max(one.up, other.up),
  down: Math.max(one.down, other.down),
})

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** They have few names between them. */
const namesOf = (known: readonly Known[]): string => {
  const written = new Map<string, string>()
  return arrayOf(
    known.map(({ bootId }) => {
      const name = written.get(bootId) ?? quoted(bootId)
      written.set(bootId, name)
      return name
    }),
  )
}

export const readCounters = (counters: readonly TrafficCounter[]): Reading => {
  const known: Known[] = []
  for (const { id, boot_id: bootId, up, down } of counters) {
    const accessId = accessIdOf(id)
    if (accessId !== undefined) known.push({ bootId, accessId, up, down })
  }
  known.sort(inOrder)
  const once: Known[] = []
  let isPlain = !known.some(({ accessId }) => isCopy(accessId))
  for (const one of known) {
    const last = once.at(-1)
    if (last && isSame(last, one)) once[once.length - 1] = larger(last, one)
    else {
      if (last?.accessId === one.accessId) isPlain = false
      once.push(one)
    }
  }
  return {
    bootIds: namesOf(once),
    accessIds: arrayOf(once.map(({ accessId }) => accessId)),
    ups: arrayOf(once.map(({ up }) => up)),
    downs: arrayOf(once.map(({ down }) => down)),
    given: counters.length,
    told: once.length + counters.length - known.length,
    hasCopies: known.some(({ accessId }) => isCopy(accessId)),
    isPlain,
  }
}
