import type { RefusalKind } from '../../../ports/clouds.ts'

/** What Hetzner's codes mean: https://docs.hetzner.cloud/reference/cloud#errors */

const kinds: ReadonlyMap<string, RefusalKind> = new Map([
  ['unauthorized', 'account'],
  ['forbidden', 'account'],
  ['token_readonly', 'account'],
  ['resource_limit_exceeded', 'quota'],
  ['resource_unavailable', 'stock'],
  ['placement_error', 'stock'],
  ['invalid_server_type', 'stock'],
  ['no_space_left_in_location', 'stock'],
  ['uniqueness_error', 'taken'],
  ['locked', 'busy'],
  ['conflict', 'busy'],
  ['maintenance', 'busy'],
  ['rate_limit_exceeded', 'rate'],
  ['not_found', 'gone'],
  ['invalid_input', 'invalid'],
  ['json_error', 'invalid'],
  ['protected', 'invalid'],
  ['unsupported_error', 'invalid'],
  ['deprecated_api_endpoint', 'invalid'],
])

/** These are said where something broke, and tell nothing of what had been done by then. */
const undecided: ReadonlySet<string> = new Set([
  'server_error',
  'service_error',
  'unknown_error',
  'unavailable',
  'bad_gateway',
  'timeout',
])

/** A type that is not made here, or no longer: invalid input to Hetzner, and there elsewhere. */
const notHere = /unsupported location for server type|server type.*(unavailable|not available|deprecated)/i

const kindOfCode = (code: string, message: string): RefusalKind | undefined => {
  const kind = kinds.get(code)
  return kind === 'invalid' && notHere.test(message) ? 'stock' : kind
}

/** Of a request; undefined when it leaves the outcome unknown. */
export const kindOfAnswer = (status: number, code: string, message: string): RefusalKind | undefined => {
  const kind = kindOfCode(code, message)
  // Out of stock is never said of a machine that was made, with whatever status it comes.
  if (status >= 500) return kind === 'stock' ? kind : undefined
  if (undecided.has(code)) return undefined
  return kind ?? 'invalid'
}

/** Of an action that ended in an error. What has no better name is tried again. */
export const kindOfAction = (code: string, message: string): RefusalKind =>
  kindOfCode(code, message) ?? 'busy'
