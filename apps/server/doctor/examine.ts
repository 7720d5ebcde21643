import type { Config } from '../config.ts'
import { type Finding, problem, skipped } from './finding.ts'
import { type Check, DatabaseAway, type Subject } from './subject.ts'

/** Runs checks together, each for a while at most, and keeps secrets out of what they say. */

export type Found = Finding & { readonly check: string }

const patienceMs = 15_000

const passwordsOf = (url: string | undefined): string[] => {
  if (!url || !URL.canParse(url)) return []
  const { password } = new URL(url)
  return [password, decodeURIComponent(password)]
}

/** Everything that nobody may read in a report. */
export const secretsOf = ({ secretKey, databaseUrl, redisUrl, identity, payments, metricsToken }: Config) => {
  const { yookassa, cryptoPay, stars, stripe } = payments
  const given = [
    ...[databaseUrl, redisUrl, identity.smtp?.url].flatMap(passwordsOf),
    ...[secretKey?.toString('base64'), metricsToken, yookassa?.secretKey, cryptoPay?.token],
    ...[stars?.botToken, stars?.webhookSecret, stripe?.secretKey, stripe?.webhookSecret],
    ...[identity.telegram?.botToken, identity.vk?.clientSecret],
    ...identity.oidc.map(({ clientSecret }) => clientSecret),
  ]
  // A shorter one is no secret, and would be found in any word.
  return given.filter((secret): secret is string => secret !== undefined && secret.length >= 4)
}

/** Passwords in addresses too, whoever wrote them down. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1***@')
    .replaceAll(/\/bot\d+:[\w-]+/g, '/bot***')

const hide = (finding: Finding, secrets: readonly string[]): Finding => {
  const text = withoutSecrets(finding.text, secrets)
  return 'advice' in finding
    ? { ...finding, text, advice: withoutSecrets(finding.advice, secrets) }
    : { ...finding, text }
}

const explain = (error: unknown): Finding => {
  if (error instanceof DatabaseAway) return skipped(error.message)
  const { message = String(error), code } = error as { message?: string; code?: string }
  return problem(
    `could not be checked: ${message || code}`,
    'Run sallyport doctor again; if it stays, this line belongs into a report to the makers of Sallyport.',
  )
}

const late = Symbol('late')

const examineOne = async (check: Check, subject: Subject, timeoutMs: number): Promise<readonly Finding[]> => {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, late)
  })
  try {
    const findings = await Promise.race([Promise.resolve(check.run(subject)), patience])
    if (findings !== late) return findings
    const seconds = Math.round(timeoutMs / 1000)
    return [
      problem(
        `did not end within ${seconds} s`,
        `Something that this check asks does not answer. Run it alone: sallyport doctor --only ${check.name}`,
      ),
    ]
  } catch (error) {
    return [explain(error)]
  } finally {
    clearTimeout(timer)
  }
}

export const examine = async (
  checks: readonly Check[],
  subject: Subject,
  timeoutMs = patienceMs,
): Promise<Found[]> => {
  const secrets = secretsOf(subject.config)
  const examined = await Promise.all(
    checks.map(async (check) => {
      const findings = await Promise.resolve().then(() => examineOne(check, subject, timeoutMs))
      return findings.map((finding) => ({ check: check.name, ...hide(finding, secrets) }))
    }),
  )
  return examined.flat()
}
