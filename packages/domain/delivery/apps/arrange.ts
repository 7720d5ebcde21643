import { type AppProblem, problemsOf } from './added-app.ts'
import type { App } from './app.ts'

export interface Arrangement {
  /** Ids that come first, in this order; the others follow as they stood. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  /** They stand before the catalogue's own until an order says otherwise. */
  readonly added: readonly App[]
}

export interface Arranged {
  readonly apps: readonly App[]
  /** What is wrong with the arrangement. Faulty apps are left out: a page never waits for an operator to mend one. */
  readonly problems: readonly AppProblem[]
}

const at = (path: string, problems: readonly AppProblem[]): AppProblem[] =>
  problems.map((one) => ({ ...one, path: `${path}.${one.path}` }))

const addedProblems = (catalogue: readonly App[], added: readonly App[], index: number): AppProblem[] => {
  const app = added[index] as App
  const others = [...catalogue, ...added.slice(0, index)]
  const taken = others.some(({ id }) => id === app.id) && [{ path: 'id', problem: 'is taken by another app' }]
  return at(`added.${index}`, [...problemsOf(app), ...(taken || [])])
}

const unknownIds = (path: string, ids: readonly string[], known: ReadonlySet<string>): AppProblem[] =>
  ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `${path}.${index}`, problem: `there is no app ${JSON.stringify(id)}` }],
  )

export const arrangeApps = (catalogue: readonly App[], { order, hidden, added }: Arrangement): Arranged => {
  const faults = added.map((_, index) => addedProblems(catalogue, added, index))
  const all = [...added.filter((_, index) => faults[index]?.length === 0), ...catalogue]
  const known = new Set([...all, ...added].map(({ id }) => id))
  const place = new Map(order.map((id, index) => [id, index]))
  const placeOf = ({ id }: App): number => place.get(id) ?? order.length
  return {
    apps: all.filter(({ id }) => !hidden.includes(id)).toSorted((a, b) => placeOf(a) - placeOf(b)),
    problems: [
      ...faults.flat(),
      ...unknownIds('order', order, known),
      ...unknownIds('hidden', hidden, known),
    ],
  }
}
