import { type ProviderActivity, readProviderActivity } from '../business/queries.ts'
import { counted, type Finding, lasting, ok, problem, skipped, warning } from '../finding.ts'
import type { Answered } from '../net.ts'
import { type Check, DatabaseAway, nowOf, type Subject } from '../subject.ts'
import { reasonOf } from './ask.ts'

/** Whether what providers tell can come in. Asked from here: firewalls that treat providers otherwise are not seen. */

/** An unsigned call is refused by the service itself, which shows that it comes through. */
export const judgeDoor = (provider: string, answer: Answered | string): Finding | undefined => {
  const where = `/webhooks/${provider}`
  if (typeof answer === 'string') {
    return problem(
      `${where} cannot be reached at PUBLIC_URL (${answer})`,
      'See what dns, certificate and public-url say.',
    )
  }
  const isOurs = answer.body.startsWith('{') && answer.body.includes('"error"')
  if ((answer.status === 403 || answer.status === 429) && isOurs) return undefined
  if (answer.status === 404 && isOurs) {
    return problem(
      `the service at PUBLIC_URL does not know ${provider}`,
      'It runs with other settings than these: start it again with them.',
    )
  }
  return problem(
    `something before the service answers ${where} with ${answer.status}`,
    'Let the proxy (and a WAF, if there is one) pass POST /webhooks/ on to the service untouched.',
  )
}

const week = 7 * 86_400

/** Payments that came to their end without a word of the provider were found by asking, which takes longer. */
export const judgeActivity = ({ provider, paid, lastPaidAt, lastEventAt }: ProviderActivity, now: number) => {
  if (paid < 3 || lastPaidAt === null) return undefined
  if (lastEventAt !== null && lastEventAt > now - week) return undefined
  const last = lastEventAt === null ? 'never' : `${lasting(now - lastEventAt)} ago`
  return warning(
    `${counted(paid, 'payment')} of ${provider} came in within a week, and its last event ${last}: they are found by asking`,
    `Set the webhook at ${provider} to PUBLIC_URL/webhooks/${provider} (docs/operations.md, Taking money).`,
  )
}

const activityOf = async (subject: Subject): Promise<readonly ProviderActivity[]> => {
  try {
    return await subject.read((tx) => readProviderActivity(tx, nowOf(subject) - week))
  } catch (error) {
    if (error instanceof DatabaseAway) return []
    throw error
  }
}

export const webhooksCheck: Check = {
  name: 'webhooks',
  about: 'providers can reach /webhooks/… at PUBLIC_URL, and do',
  run: async (subject) => {
    const { config, providers, ask } = subject
    const names = [...providers.keys()].filter((name) => name !== 'sandbox')
    if (names.length === 0) return [skipped('no payment provider is set up')]
    if (!config.publicUrl) return [skipped('PUBLIC_URL is not set')]
    const [doors, activity] = await Promise.all([
      Promise.all(
        names.map(async (name) => {
          const asked = {
            method: 'POST',
            body: '{}',
            headers: { 'content-type': 'application/json' },
          } as const
          return judgeDoor(name, await ask(`${config.publicUrl}/webhooks/${name}`, asked).catch(reasonOf))
        }),
      ),
      activityOf(subject),
    ])
    const now = nowOf(subject)
    const quiet = activity
      .filter(({ provider }) => names.includes(provider))
      .map((one) => judgeActivity(one, now))
    const found = [...doors, ...quiet].filter((finding) => finding !== undefined)
    if (found.length > 0) return found
    return [
      ok(`${names.join(', ')} can come in, as far as it can be seen from here: ask them for a test event`),
    ]
  },
}
