import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** What makes things happen here, a request or a run of a job: by its name they are found again in logs, in the database and on nodes. */

/** Something that takes time, as a trace has it. */
export interface OpenSpan {
  begin(name: string, attributes?: SpanAttributes): OpenSpan
  end(failure?: unknown): void
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Nothing in it has a meaning in SQL, in a shell or in a log. */
const pattern = /^[A-Za-z0-9_-]{8,64}$/

/** Drawn, since a count would tell everybody how much is asked for here. Bytes are fetched for many at a time. */
const idBytes = 9
let drawn = Buffer.alloc(0)

export class Cause {
  readonly id: string
  /** Only of what is traced. */
  span: OpenSpan | undefined

  private constructor(id: string, span: OpenSpan | undefined) {
    this.id = id
    this.span = span
  }

  /** The name that somebody gave to it, or one of ours where that is none. */
  static named(given: unknown): Cause {
    const isName = typeof given === 'string' && pattern.test(given)
    return new Cause(isName ? given : newId(''), undefined)
  }

  static ofJob(span?: OpenSpan): Cause {
    return new Cause(newId('job-'), span)
  }
}

const newId = (prefix: string): string => {
  if (drawn.length === 0) drawn = randomBytes(256 * idBytes)
  const id = drawn.toString('base64url', 0, idBytes)
  drawn = drawn.subarray(idBytes)
  return prefix + id
}

const causes = new AsyncLocalStorage<Cause>()

export const currentCause = (): Cause | undefined => causes.getStore()

export const causedBy = <T>(cause: Cause | undefined, work: () => T): T =>
  cause ? causes.run(cause, work) : work()

/** Does a piece of work as part of what is traced, if it is. */
export const spanning = async <T>(
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<T>,
): Promise<T> => {
  const span = currentCause()?.span?.begin(name, attributes)
  if (!span) return work()
  try {
    const result = await work()
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
