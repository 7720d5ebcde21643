import { randomBytes, randomInt } from 'node:crypto'
import { probeHeader, probePath, type Seen, signProbe } from '../../core/seeing/probe.ts'
import { type Finding, ok, orElse, problem, skipped, warning } from '../finding.ts'
import type { Answered } from '../net.ts'
import { type Check, nowOf, type Subject } from '../subject.ts'
import { reasonOf } from './ask.ts'

/** What becomes of a request on its way through the proxies: the instance that gets it tells what it saw. */

export interface Journey {
  /** The address that the request pretended to come from. */
  readonly pretended: string
  readonly seen: Seen
  readonly trustedProxies: readonly string[]
  /** Where the request may have come from. */
  readonly ownAddresses: readonly string[]
}

const bare = (address: string): string => address.replace(/^::ffff:/, '')

/** Whom the service takes for the caller. */
export const judgeCaller = (journey: Journey): readonly Finding[] => {
  const { pretended, seen, trustedProxies, ownAddresses } = journey
  const [address, peer] = [bare(seen.address), bare(seen.peer)]
  const chain = (seen.forwarded_for ?? '').split(',').map((part) => bare(part.trim()))
  const last = chain.at(-1) ?? ''
  if (seen.forwarded_for === null) {
    if (ownAddresses.includes(address)) return []
    return [
      problem(
        `the proxy at ${peer} does not say for whom it asks: all callers count as one`,
        'nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; HAProxy: option forwardfor.',
      ),
    ]
  }
  if (address === peer && trustedProxies.length === 0) {
    return [
      problem(
        `the service takes the proxy at ${peer} for the caller: limits count all customers as one`,
        `Set TRUSTED_PROXIES=${peer} and start the service again.`,
      ),
    ]
  }
  if (address === peer && last !== peer) {
    return [
      problem(
        `the proxy at ${peer} is not among TRUSTED_PROXIES, so it counts as the caller`,
        `Set TRUSTED_PROXIES=${[...trustedProxies, peer].join(',')} and start the service again.`,
      ),
    ]
  }
  if (address !== pretended) return []
  if (last === pretended) {
    return [
      problem(
        'the proxy passes on whatever address a caller claims: limits and bans can be walked around',
        'nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; HAProxy: http-request del-header X-Forwarded-For, then option forwardfor.',
      ),
    ]
  }
  // This machine itself is a trusted proxy, so it may name whom it likes: others are judged otherwise.
  if (ownAddresses.includes(last)) return []
  return [
    problem(
      `TRUSTED_PROXIES takes ${last} for a proxy, and it was the caller: anybody there may claim any address`,
      'Name the proxies only in TRUSTED_PROXIES.',
    ),
  ]
}

const judgeHeaders = (seen: Seen, publicUrl: string): readonly Finding[] => {
  const findings: Finding[] = []
  const { host } = new URL(publicUrl)
  if (seen.request_id === null) {
    findings.push(
      warning(
        'the proxy does not pass X-Request-Id on: a request cannot be followed from its log to ours',
        'nginx: proxy_set_header X-Request-Id $request_id; and log $request_id. HAProxy: unique-id-header X-Request-Id.',
      ),
    )
  }
  if (seen.host !== null && seen.host !== host) {
    findings.push(
      warning(
        `the proxy changes the Host (${seen.host})`,
        'nginx: proxy_set_header Host $host; HAProxy does so by itself.',
      ),
    )
  }
  if (publicUrl.startsWith('https:') && seen.forwarded_proto !== null && seen.forwarded_proto !== 'https') {
    findings.push(
      warning(
        `the proxy says that it was asked by ${seen.forwarded_proto}`,
        'nginx: proxy_set_header X-Forwarded-Proto $scheme;',
      ),
    )
  }
  return findings
}

const judgeSize = (sent: number, answer: Pick<Answered, 'status'> | string): readonly Finding[] => {
  if (typeof answer !== 'string' && answer.status === 200) return []
  const said = typeof answer === 'string' ? answer : `answers ${answer.status}`
  return [
    problem(
      `the proxy does not let a body of ${Math.round(sent / 1024)} KB through (${said}): reports of agents are lost`,
      'nginx: client_max_body_size 2m;',
    ),
  ]
}

const readSeen = ({ status, body }: Answered): Seen | undefined => {
  if (status !== 200) return undefined
  try {
    return JSON.parse(body) as Seen
  } catch {
    return undefined
  }
}

const bodyBytes = 1024 * 1024

const travel = async (
  subject: Subject,
  publicUrl: string,
  signature: string,
): Promise<readonly Finding[]> => {
  const { ask, config, machine } = subject
  // Of a network that is for examples only.
  const pretended = `203.0.113.${randomInt(1, 255)}`
  const requestId = `doctor-${randomBytes(8).toString('hex')}`
  const headers = { [probeHeader]: signature }
  const answer = await ask(`${publicUrl}${probePath}`, {
    headers: { ...headers, 'x-forwarded-for': pretended, 'x-request-id': requestId },
  }).catch(reasonOf)
  if (typeof answer === 'string') return [skipped(`PUBLIC_URL does not answer (${answer})`)]
  const seen = readSeen(answer)
  if (!seen) {
    return [
      skipped(
        `what answers at PUBLIC_URL (${answer.status}) does not tell what it sees: another service, another key, or a release from before`,
      ),
    ]
  }
  const body = Buffer.alloc(bodyBytes, 'x')
  const large = await ask(`${publicUrl}${probePath}`, { method: 'POST', headers, body }).catch(reasonOf)
  const { trustedProxies } = config
  const journey = { pretended, seen, trustedProxies, ownAddresses: machine.ownAddresses }
  const found = [...judgeCaller(journey), ...judgeHeaders(seen, publicUrl), ...judgeSize(bodyBytes, large)]
  const address = bare(seen.address) === pretended ? 'this machine, a trusted one' : bare(seen.address)
  return orElse(found, `callers keep their addresses (ours is ${address}), request ids and large bodies`)
}

export const proxyCheck: Check = {
  name: 'proxies',
  about: "whether proxies on the way keep the caller's address, the request id and large bodies",
  run: async (subject) => {
    const { vault, config } = subject
    if (!config.publicUrl) return [skipped('PUBLIC_URL is not set')]
    if (!vault) return [skipped('there is no key to ask with')]
    return travel(subject, config.publicUrl, signProbe(vault, nowOf(subject)))
  },
}

/** How long agents wait for news at a time. */
const agentsWaitSeconds = 25

const judgeWait = (seconds: number, answer: Pick<Answered, 'status'> | string): Finding => {
  if (typeof answer !== 'string' && answer.status === 200) {
    return ok(
      `an answer that takes ${seconds} s comes through; agents wait up to ${agentsWaitSeconds} s, so let proxies wait 75 s`,
    )
  }
  const said = typeof answer === 'string' ? answer : `it answers ${answer.status}`
  return problem(
    `the proxy does not wait ${seconds} s for an answer (${said}): changes reach servers late`,
    'nginx: proxy_read_timeout 75s; HAProxy: timeout server 75s. Agents wait that long for news.',
  )
}

export const longPollsCheck: Check = {
  name: 'long-polls',
  about: 'whether proxies wait for answers that take long',
  run: async ({ vault, config, ask, nowMs, longWaitSeconds: seconds }) => {
    if (!config.publicUrl) return [skipped('PUBLIC_URL is not set')]
    if (!vault) return [skipped('there is no key to ask with')]
    const headers = { [probeHeader]: signProbe(vault, Math.floor(nowMs() / 1000)) }
    const quick = await ask(`${config.publicUrl}${probePath}`, { headers }).catch(reasonOf)
    if (typeof quick === 'string' || !readSeen(quick)) return [skipped('see what proxies says')]
    const slow = `${config.publicUrl}${probePath}?wait_seconds=${seconds}`
    const timeoutMs = seconds * 1000 + 3000
    return [judgeWait(seconds, await ask(slow, { headers, timeoutMs }).catch(reasonOf))]
  },
}
