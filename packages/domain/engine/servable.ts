import type { Access, Inbound } from '@sallyport/contract/agent'

/** Xray refuses its whole configuration for one bad entry, so bad entries are left out beforehand. */

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const keyPattern = /^[A-Za-z0-9_-]{43}$/
const shortIdPattern = /^([0-9a-f]{2}){0,8}$/i
const targetPattern = /^.+:\d{1,5}$/
const namePattern = /^\S+$/

export const inboundProblem = ({ tag, listen, reality }: Inbound): string | null => {
  if (!namePattern.test(tag)) return 'its tag contains spaces'
  if (!namePattern.test(listen)) return 'its listen address is empty'
  if (!keyPattern.test(reality.private_key)) return 'its REALITY private key is not 32 bytes in base64url'
  if (!targetPattern.test(reality.target)) return 'its REALITY target is not host:port'
  if (reality.server_names.length === 0) return 'it has no server names'
  if (reality.short_ids.length === 0) return 'it has no short ids'
  if (!reality.short_ids.every((id) => shortIdPattern.test(id))) return 'a short id is not hexadecimal'
  return null
}

export const accessProblem = ({ id, account }: Access): string | null => {
  if (!namePattern.test(id)) return 'its id contains spaces'
  if (!uuidPattern.test(account.uuid)) return 'its uuid is not a UUID'
  return null
}

export interface Servable {
  readonly inbounds: Inbound[]
  readonly accesses: Access[]
  /** One sentence for each entry left out. */
  readonly problems: string[]
}

const uuidIdentity = (access: Access): string =>
  // Xray ignores bytes 6 and 7 of a VLESS id when it looks a user up.
  `${access.inbound} ${access.account.uuid
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{12}).{4}/, '$1')}`

/** What an engine can be asked to serve, and what is wrong with the rest. */
export const servable = (inbounds: readonly Inbound[], accesses: readonly Access[]): Servable => {
  const problems: string[] = []
  const accept = <T>(entries: readonly T[], problemOf: (entry: T) => string | null): T[] =>
    entries.filter((entry) => {
      const problem = problemOf(entry)
      if (problem !== null) problems.push(problem)
      return problem === null
    })

  const tags = new Set<string>()
  const goodInbounds = accept(inbounds, (inbound) => {
    const problem = tags.has(inbound.tag) ? 'its tag is taken' : inboundProblem(inbound)
    tags.add(inbound.tag)
    return problem && `inbound ${inbound.tag}: ${problem}`
  })
  const served = new Set(goodInbounds.map((inbound) => inbound.tag))
  const known = new Set<string>()
  const goodAccesses = accept(accesses, (access) => {
    if (!served.has(access.inbound)) return `access ${access.id}: inbound ${access.inbound} is not served`
    const identity = uuidIdentity(access)
    const problem = known.has(identity) ? 'its uuid is taken on this inbound' : accessProblem(access)
    known.add(identity)
    return problem && `access ${access.id}: ${problem}`
  })
  return { inbounds: goodInbounds, accesses: goodAccesses, problems }
}
