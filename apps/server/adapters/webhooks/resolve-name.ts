import { Resolver } from 'node:dns/promises'

/**
 * Where names lead, asked of name servers directly. The system's own look-up has four threads for the whole process, which slow
 * name servers of strangers would take from everybody; names that only this machine's hosts file knows are not found here.
 */

export type ResolveName = (name: string) => Promise<readonly string[]>

const usualTimeoutMs = 5000
/** Name servers that say so know the name, or know that there is none. */
const hasNone = new Set(['ENODATA', 'ENOTFOUND'])

const codeOf = (reason: unknown): string | undefined => (reason as { code?: string }).code

interface Asked {
  /** Those of the machine where none are named. */
  readonly servers?: readonly string[]
  readonly timeoutMs?: number
}

export const nameResolver =
  ({ servers, timeoutMs = usualTimeoutMs }: Asked = {}): ResolveName =>
  async (name) => {
    if (name === 'localhost') return ['127.0.0.1', '::1']
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2 })
    if (servers) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), timeoutMs)
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length > 0) return addresses
      const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
      const failure =
        failures.find((reason) => !hasNone.has(codeOf(reason) ?? '')) ??
        failures.find((reason) => codeOf(reason) === 'ENOTFOUND')
      if (failure) throw failure
      return []
    } finally {
      clearTimeout(timer)
    }
  }

const sharedForMs = 5000

/** Tries of one round ask for the same names: they share what is found, but not what fails. */
export const sharedLookUps = (resolve: ResolveName): ResolveName => {
  const asked = new Map<string, Promise<readonly string[]>>()
  return (name) => {
    const known = asked.get(name)
    if (known) return known
    const answer = resolve(name)
    asked.set(name, answer)
    const forget = () => void asked.delete(name)
    answer.then(() => setTimeout(forget, sharedForMs).unref(), forget)
    return answer
  }
}
