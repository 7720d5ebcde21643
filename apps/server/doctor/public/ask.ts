import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as encryptedRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Ask, Names } from '../net.ts'

/** One request over the net, by names as the checks find them. What is wrong with a certificate does not stop it. */

const usualTimeoutMs = 8000
const maxBodyBytes = 64 * 1024

export const lookupBy =
  (names: Names): LookupFunction =>
  (name, options, done) => {
    names.addresses(name).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = all
        if (!first) return done(Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' }), '')
        if (options.all) return done(null, all)
        done(null, first.address, first.family)
      },
      (error) => done(error, ''),
    )
  }

export const asksBy =
  (names: Names): Ask =>
  (url, { method = 'GET', headers = {}, body, timeoutMs = usualTimeoutMs } = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        method,
        agent: false as const,
        lookup: lookupBy(names),
        headers: { 'user-agent': 'sallyport-doctor', ...headers },
        signal: AbortSignal.timeout(timeoutMs),
      }
      const take = (answer: IncomingMessage): void => {
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size <= maxBodyBytes) parts.push(part)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString('utf8')
          const { statusCode: status = 0, headers: given } = answer
          resolve({ status, headers: given, body: text })
        })
      }
      const request = url.startsWith('https:')
        ? encryptedRequest(url, { ...options, rejectUnauthorized: false }, take)
        : plainRequest(url, options, take)
      request.on('error', reject)
      request.end(body)
    })

/** What went wrong, as short as it can be said. */
export const reasonOf = (error: unknown): string => {
  const { code, message, name, cause, errors } = error as {
    code?: string
    message?: string
    name?: string
    cause?: unknown
    errors?: readonly unknown[]
  }
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return 'no answer in time'
  if (errors?.[0]) return reasonOf(errors[0])
  if (cause && !code) return reasonOf(cause)
  return code ?? message ?? String(error)
}
