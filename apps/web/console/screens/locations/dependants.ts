import { SallyportError } from '../../api.ts'

/** Why a location cannot be deleted yet, as the service counts it. */

export const contentKinds = ['server', 'configuration', 'cloud server', 'cloud offer'] as const
type Kind = (typeof contentKinds)[number]

export interface Dependants {
  readonly customers: number
  readonly contents: readonly (readonly [kind: Kind, count: number])[]
}

const isKind = (name: string): name is Kind => (contentKinds as readonly string[]).includes(name)

export const dependantsIn = (problem: string): Dependants | undefined => {
  if (!problem.includes('still has')) return undefined
  const customers = Number(/(\d+) customers? /.exec(problem)?.[1] ?? 0)
  const listed = /still has ([^;]+);/.exec(problem)?.[1] ?? ''
  const contents = [...listed.matchAll(/(\d+) ([a-z ]+?)s?(?=,|$)/g)].flatMap(([, count, name = '']) =>
    isKind(name) ? [[name, Number(count)] as const] : [],
  )
  return contents.length > 0 ? { customers, contents } : undefined
}

export const dependantsOf = (error: unknown): Dependants | undefined =>
  error instanceof SallyportError && error.statusCode === 409
    ? dependantsIn(error.details[0]?.problem ?? '')
    : undefined
