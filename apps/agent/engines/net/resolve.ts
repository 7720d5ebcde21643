import { Resolver } from 'node:dns/promises'
import { limited } from '../process/child.ts'

/** Every address of a name, of both families. Rejects with the reason when there is none to be had. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** The service waits 8 s for the verdict on a configuration, and the engine has to read it too. */
const wholeMs = 4000
const tryMs = 1500
/** A question is a socket. */
const atOnce = 64

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such name',
  ENODATA: 'it has no address',
}

const reasonOf = (error: unknown): string => {
  const { code = '' } = error as { code?: string }
  return reasons[code] ?? 'the resolvers of the server do not answer'
}

const inTurn = limited(atOnce)

const ask = async (name: string): Promise<string[]> => {
  const resolver = new Resolver({ timeout: tryMs, maxTimeout: tryMs, tries: 2 })
  const timer = setTimeout(() => resolver.cancel(), wholeMs)
  const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  const addresses = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const failures = asked.flatMap((answer) => (answer.status === 'rejected' ? reasonOf(answer.reason) : []))
  // That there is nothing counts only when both families say so.
  throw new Error(failures.find((reason) => !Object.values(reasons).includes(reason)) ?? failures[0] ?? '')
}

/** Asks the resolvers that this machine names now, and neither its hosts file nor its search domains. */
export const resolveName: Resolve = (name) => inTurn(() => ask(name))
