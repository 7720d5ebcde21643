import { request as requestPlainly } from 'node:http'
import { request as requestSafely } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { PostWebhook, WebhookOutcome, WebhookPost } from '../../ports/webhooks.ts'
import { nameResolver, type ResolveName, sharedLookUps } from './resolve-name.ts'

/**
 * Posts to addresses that somebody typed. A name is resolved once, every address that it stands for is judged, and these very
 * addresses are dialled: a name that says another thing at the second look gains nothing. The certificate is still held to the
 * name.
 */

/** An answer that takes longer is none. */
const usualTimeoutMs = 15_000
/** So much of an answer is read, and dropped, so that its sender is not cut off; more is not waited for. */
const mostAnswerBytes = 64 * 1024

export interface PostingRules {
  /** Whether this address may be dialled with this scheme. */
  readonly mayDial: (address: string, protocol: string) => boolean
  readonly timeoutMs?: number
  readonly resolve?: ResolveName
  /** Who vouches for certificates, where that is not the usual ones. */
  readonly ca?: string
}

class Refused extends Error {
  override readonly name = 'Refused'
}

const addressesOf = async (
  url: URL,
  rules: PostingRules,
  resolve: ResolveName,
): Promise<readonly string[]> => {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = isIP(name) === 0 ? await resolve(name) : [name]
  if (addresses.length === 0) throw new Refused('the name has no address')
  if (!addresses.every((address) => rules.mayDial(address, url.protocol))) {
    throw new Refused('the name leads to an address that is not public')
  }
  return addresses
}

/** Whatever name is asked for, it is at these addresses. */
const always =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = all
    if (options.all) callback(null, all)
    else callback(null, first?.address ?? '', first?.family)
  }

const verdict = (status: number): WebhookOutcome => {
  if (status >= 200 && status < 300) return { status, error: null }
  const isRedirect = status >= 300 && status < 400
  return {
    status,
    error: isRedirect ? `answered ${status}; redirects are not followed` : `answered ${status}`,
  }
}

/** One address is given up for the next only after this long: by default a distant one would never be reached. */
const eachAddress = { autoSelectFamilyAttemptTimeout: 4000 }

const dial = (post: WebhookPost, addresses: readonly string[], rules: PostingRules, signal: AbortSignal) =>
  new Promise<WebhookOutcome>((resolve, reject) => {
    const url = new URL(post.url)
    const begin = url.protocol === 'https:' ? requestSafely : requestPlainly
    const body = Buffer.from(post.body)
    const request = begin(url, {
      method: 'POST',
      headers: { ...post.headers, 'content-length': String(body.length) },
      agent: false,
      lookup: always(addresses),
      ...eachAddress,
      signal,
      ...(rules.ca !== undefined && { ca: rules.ca }),
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const outcome = verdict(response.statusCode ?? 0)
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > mostAnswerBytes) request.destroy()
      })
      // The status is the answer, whatever becomes of the rest.
      response.on('error', () => resolve(outcome))
      response.on('close', () => resolve(outcome))
    })
    request.end(body)
  })

/** Without the words of the error, which may repeat the address. */
const problemOf = (error: unknown, timeout: AbortSignal): string => {
  if (error instanceof Refused) return error.message
  if (timeout.aborted) return 'no answer in time'
  const { code, name } = error as { code?: string; name?: string }
  return `no answer (${code ?? name ?? 'unknown'})`
}

export const webhookPoster = (rules: PostingRules): PostWebhook => {
  const resolve = sharedLookUps(rules.resolve ?? nameResolver())
  return async (post) => {
    const timeout = AbortSignal.timeout(rules.timeoutMs ?? usualTimeoutMs)
    const signal = AbortSignal.any([timeout, post.signal])
    try {
      const ended = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
      const addresses = await Promise.race([addressesOf(new URL(post.url), rules, resolve), ended])
      signal.throwIfAborted()
      return await dial(post, addresses, rules, signal)
    } catch (error) {
      return { status: null, error: problemOf(error, timeout) }
    }
  }
}
