import { type Finding, ok, problem, skipped, warning } from '../finding.ts'
import type { Answered } from '../net.ts'
import type { Check } from '../subject.ts'
import { reasonOf } from './ask.ts'

/** What customers get at PUBLIC_URL: this service, always encrypted. */

const judgeReady = (host: string, answer: Answered | string): Finding | undefined => {
  const advice = 'See that the service runs, and that the proxy hands requests on to where it listens.'
  if (typeof answer === 'string') return problem(`PUBLIC_URL does not answer (${answer})`, advice)
  if (answer.status === 200 && answer.body.includes('"ready"')) return undefined
  const isOurs = answer.body.includes('"status"')
  if (isOurs) {
    const text = `the service says at PUBLIC_URL: ${answer.body.slice(0, 100)}`
    return problem(text, 'See its log (journalctl -u "sallyport@*").')
  }
  return problem(`${host} answers ${answer.status}, and it is not this service`, advice)
}

/** Without encryption, at port 80. */
export const judgePlain = (host: string, answer: Answered | string): Finding | undefined => {
  const advice = `Let port 80 answer with: return 301 https://${host}$request_uri;`
  if (typeof answer === 'string') {
    return warning(
      `http://${host} does not answer (${answer}): whoever types the name without https waits`,
      advice,
    )
  }
  const { status, headers } = answer
  const isLed = status >= 301 && status <= 308 && (headers.location ?? '').startsWith('https://')
  if (isLed) return undefined
  return problem(`http://${host} answers ${status} instead of leading to https`, advice)
}

const halfYear = 15_552_000

export const judgeHsts = (header: string | undefined): Finding | undefined => {
  const seconds = Number(/max-age=(\d+)/i.exec(header ?? '')?.[1] ?? 0)
  if (seconds >= halfYear) return undefined
  return warning(
    header === undefined
      ? 'answers do not tell browsers to stay with https (HSTS)'
      : `browsers are told to stay with https for ${Math.round(seconds / 86_400)} days only`,
    'The service says so by itself: let the proxy pass Strict-Transport-Security on as it is.',
  )
}

export const httpsCheck: Check = {
  name: 'public-url',
  about: 'PUBLIC_URL is this service, http leads to https, browsers stay with it',
  run: async ({ config, ask }) => {
    const { publicUrl } = config
    if (!publicUrl) return [skipped('PUBLIC_URL is not set')]
    const { protocol, hostname, port } = new URL(publicUrl)
    const ready = await ask(`${publicUrl}/readyz`).catch(reasonOf)
    const findings = [judgeReady(hostname, ready)]
    if (protocol === 'https:' && typeof ready !== 'string') {
      findings.push(judgeHsts(ready.headers['strict-transport-security']))
    }
    // A port of its own has no sibling without encryption.
    if (protocol === 'https:' && port === '') {
      findings.push(judgePlain(hostname, await ask(`http://${hostname}/`).catch(reasonOf)))
    }
    const found = findings.filter((finding) => finding !== undefined)
    return found.length > 0 ? found : [ok(`${publicUrl} is this service, as seen from here`)]
  },
}
