import { randomUUID } from 'node:crypto'
import { createOperatorClient, SallyportError } from '@sallyport/contract/client/client'
import { basePaths } from '@sallyport/contract/operation'
import type { Command } from './commands.ts'
import type { Input } from './input.ts'
import type { Service } from './login.ts'

/** Commands over HTTP. */

type Call = (input: object) => Promise<unknown>

const baseOf = ({ url }: Service): string => `${url}${basePaths.operator}`

/** The service was not reached, or something else answered. */
export class Unreachable extends Error {}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string }
  return cause?.code ?? cause?.message ?? message
}

const reached = async <T>({ url }: Service, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof SallyportError) throw error
    throw new Unreachable(
      `${url} does not answer (${reasonOf(error)}). Is the address right, and the service running?`,
    )
  }
}

export const callCommand = async (
  service: Service,
  { operation: { name, row } }: Command,
  { params, query, body }: Omit<Input, 'common'>,
): Promise<unknown> => {
  const client = createOperatorClient({ baseUrl: baseOf(service), token: service.token, language: 'en' })
  const call = (client as unknown as Readonly<Record<string, Call>>)[name] as Call
  // The same key again after a lost answer does nothing twice.
  const key = row.idempotent ? { idempotencyKey: randomUUID() } : {}
  const input = { params, query, ...(body && { body }), ...key }
  return reached(service, async () => {
    try {
      return await call(input)
    } catch (error) {
      if (error instanceof SallyportError || !row.idempotent) throw error
      return call(input)
    }
  })
}

/** Bytes as they come, so that a long table needs no memory. */
export const fetchCsv = (
  service: Service,
  { operation: { row } }: Command,
  { params, query }: Omit<Input, 'common'>,
): Promise<Response> =>
  reached(service, async () => {
    const path = row.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] as string))
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) search.set(name, String(value))
    const answer = await fetch(`${baseOf(service)}${path}${search.size > 0 ? `?${search}` : ''}`, {
      headers: { accept: 'text/csv', authorization: `Bearer ${service.token}` },
    })
    if (answer.ok) return answer
    const failure = (await answer.json()) as ConstructorParameters<typeof SallyportError>[0]
    throw new SallyportError(failure, undefined)
  })
