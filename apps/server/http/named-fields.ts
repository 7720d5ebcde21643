import type { Problem } from '@sallyport/contract/errors'
import { consoleHeader, type Operation } from '@sallyport/contract/operation'
import type { TSchema } from 'typebox'
import { UnreadableBody } from '../operations/operation-input.ts'

/** Whether what an answer complains about is something that the request has, or could have. */

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

/** Those that answers speak of. */
const headers = ['Authorization', 'Host', 'Idempotency-Key', 'Retry-After', consoleHeader]

const isAt = (schema: TSchema | undefined, names: readonly string[]): boolean => {
  const [name, ...rest] = names
  if (schema === undefined) return false
  if (name === undefined) return true
  const { type, properties, items, anyOf = [] } = schema as Schema
  // A text may be JSON itself, and of some objects only what they are for is known.
  if (type === 'string' || (type === 'object' && !properties)) return true
  const inner = /^\d+$/.test(name) ? items : properties?.[name]
  return isAt(inner, rest) || anyOf.some((one) => isAt(one, names))
}

/** Names may have dots inside. */
const isGiven = (value: unknown, path: string): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, inner]) =>
      path === name || (path.startsWith(`${name}.`) && isGiven(inner, path.slice(name.length + 1))),
  )
}

/** What callers say beside the address. */
interface Said {
  readonly body: unknown
  readonly query: unknown
}

/** An empty path means the whole of it. What is no field is named as it was given. */
export const namesField = ({ request }: Operation, { body, query }: Said, path: string): boolean => {
  if (path === '' || headers.includes(path) || body instanceof UnreadableBody) return true
  const names = path.split('.')
  return (
    [request.params, request.query, request.body].some((schema) => isAt(schema, names)) ||
    isGiven(body, path) ||
    isGiven(query, path)
  )
}

/** The house speaks of a configuration as config_id; an address may call it otherwise. */
export const inWordsOf = (row: Operation, said: Said, problem: Problem): Problem => {
  if (problem.path !== 'config_id' || namesField(row, said, problem.path)) return problem
  const [, path = problem.path] = /\/configs\/:(\w+)/.exec(row.path) ?? []
  return { ...problem, path }
}
