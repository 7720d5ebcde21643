import type { Json, JsonObject } from '../text/strict-json.ts'

/** Routing as Happ takes it: a profile with a name, sent in a header with every answer. */

/** It goes out with every fetch, and of the 16 KB that some networks let through most is for servers. */
export const mostRoutingBytes = 2048

/** Of these Happ reads lists; whatever else it comes to know is a text, a switch or a table of texts. */
const lists = ['DirectSites', 'DirectIp', 'ProxySites', 'ProxyIp', 'BlockSites', 'BlockIp']

export interface RoutingProblem {
  /** The field, or nothing where the whole of it is meant. */
  readonly path: string
  readonly problem: string
}

const isText = (value: Json): boolean => typeof value === 'string'

const isPlain = (value: Json): boolean =>
  isText(value) || typeof value === 'boolean' || typeof value === 'number'

const valueProblem = (name: string, value: Json): string | undefined => {
  if (name === 'Name') return isText(value) && value !== '' ? undefined : 'must be a text'
  if (lists.includes(name) || Array.isArray(value)) {
    return Array.isArray(value) && value.every(isText) ? undefined : 'must be a list of texts'
  }
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).every(isText) ? undefined : 'must be a table of texts'
  }
  return isPlain(value) ? undefined : 'must be a text, a number, true or false, a list or a table'
}

export const routingProblems = (routing: JsonObject): RoutingProblem[] => {
  const named = { Name: '', ...routing }
  const found = Object.entries(named).flatMap(([path, value]) => {
    const problem = valueProblem(path, value)
    return problem === undefined ? [] : [{ path, problem }]
  })
  if (found.length > 0) return found
  const bytes = Buffer.byteLength(JSON.stringify(routing))
  return bytes > mostRoutingBytes
    ? [{ path: '', problem: `must be at most ${mostRoutingBytes} bytes, for it goes out with every answer` }]
    : []
}

/** Added and made the active one, in place of one of the same name. */
export const routingLink = (routing: JsonObject): string =>
  `happ://routing/onadd/${Buffer.from(JSON.stringify(routing)).toString('base64')}`
