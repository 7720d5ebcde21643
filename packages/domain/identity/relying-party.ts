import { isIP } from 'node:net'

/** Whom passkeys are made for: they work on this site and on no other. */
export interface RelyingParty {
  /** A domain name; Web Authentication knows no addresses. */
  readonly id: string
  readonly origin: string
}

const isLoopback = (host: string): boolean => host.startsWith('127.') || host === '::1'
const isLocal = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')

/**
 * Undefined when browsers would refuse passkeys there: at a bare address, and without TLS. The machine itself is
 * trusted without it, under the name `localhost`.
 */
export const relyingPartyOf = (publicUrl: string): RelyingParty | undefined => {
  const url = new URL(publicUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) {
    if (!isLoopback(host)) return undefined
    url.hostname = 'localhost'
  }
  const isTrusted = url.protocol === 'https:' || isLocal(url.hostname)
  return isTrusted ? { id: url.hostname, origin: url.origin } : undefined
}
