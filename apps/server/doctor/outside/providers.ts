import { openCloudOf } from '../../core/clouds/accounts.ts'
import { CloudRefusal } from '../../ports/clouds.ts'
import {
  type PaymentProvider,
  type ProviderAccount,
  ProviderRefusal,
  sandboxName,
} from '../../ports/payments.ts'
import { listCloudIds } from '../business/queries.ts'
import { type Finding, ok, orElse, problem, skipped, warning } from '../finding.ts'
import { reasonOf } from '../public/ask.ts'
import { type Check, isProduction, type Subject } from '../subject.ts'

/** Whether everybody whom the service works with lets it in, by reads that change nothing. */

const settingsOf: Readonly<Record<string, string>> = {
  yookassa: 'YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY',
  crypto_pay: 'CRYPTO_PAY_TOKEN',
  stars: 'TELEGRAM_BOT_TOKEN',
  stripe: 'STRIPE_SECRET_KEY',
}

const judgeFailure = (name: string, error: unknown): Finding => {
  const said = (error as Error).message
  if (error instanceof ProviderRefusal) {
    return problem(
      `${name} does not let us in: ${said}`,
      `Set ${settingsOf[name] ?? 'its key'} to a good one.`,
    )
  }
  return problem(
    `${name} cannot be asked: ${said}`,
    'See whether this machine reaches it (curl), and whether it has trouble itself (its status page).',
  )
}

export const judgeAccount = (
  name: string,
  { account, isTest, problem: trouble, webhooks }: ProviderAccount,
  at: { readonly publicUrl: string | undefined; readonly isProduction: boolean },
): readonly Finding[] => {
  const findings: Finding[] = []
  if (trouble !== undefined) {
    findings.push(problem(`${name}: ${trouble}`, `Ask the provider why (${account}).`))
  }
  if (isTest && at.isProduction) {
    findings.push(
      warning(
        `${name} is for trying out (${account}): no real money comes`,
        `Set ${settingsOf[name]} to those of the real account.`,
      ),
    )
  }
  if (webhooks && at.publicUrl) {
    const url = `${at.publicUrl}/webhooks/${name}`
    const ours = webhooks.find((webhook) => webhook.url === url)
    if (!ours) {
      findings.push(
        problem(
          `${name} does not send its events to ${url}`,
          webhooks[0]
            ? `It sends them to ${webhooks[0].url}: set it to ours.`
            : 'Set the webhook there (docs/operations.md, Taking money).',
        ),
      )
    } else if (ours.problem !== undefined) {
      findings.push(
        problem(`${name}'s webhook: ${ours.problem}`, 'Mend it at the provider; see what webhooks says.'),
      )
    }
  }
  return orElse(findings, `${name} lets us in (${account})`)
}

const checkOne = async (subject: Subject, provider: PaymentProvider): Promise<readonly Finding[]> => {
  try {
    const at = { publicUrl: subject.config.publicUrl, isProduction: isProduction(subject) }
    return judgeAccount(provider.name, await provider.check(), at)
  } catch (error) {
    return [judgeFailure(provider.name, error)]
  }
}

export const providersCheck: Check = {
  name: 'providers',
  about: "payment providers' credentials and where they send their events",
  run: async (subject) => {
    const real = [...subject.providers.values()].filter(({ name }) => name !== sandboxName)
    if (real.length === 0) return [skipped('no payment provider is set up')]
    return (await Promise.all(real.map((provider) => checkOne(subject, provider)))).flat()
  },
}

const checkCloud = async (subject: Subject, id: number): Promise<Finding> => {
  const { vault, openCloud } = subject
  if (!vault) return skipped('there is no key to open the tokens with')
  try {
    const cloud = await subject.read((tx) => openCloudOf(tx, { vault, openCloud }, id))
    if (!cloud) return skipped(`cloud ${id} is gone`)
    await cloud.provider.list('doctor')
    return ok(`${cloud.title} (${cloud.kind}) lets us in`)
  } catch (error) {
    const isRefused = error instanceof CloudRefusal && error.kind === 'account'
    const text = `cloud ${id} ${isRefused ? 'does not let us in' : 'cannot be asked'}: ${(error as Error).message}`
    const advice = isRefused
      ? `Give it a new token: sallyport cloud change ${id} --token …`
      : 'See whether this machine reaches it, and whether SECRET_KEY is the one that sealed its token.'
    return problem(text, advice)
  }
}

export const cloudsCheck: Check = {
  name: 'clouds',
  about: 'tokens of the clouds that machines are rented from',
  run: async (subject) => {
    const ids = await subject.read(listCloudIds)
    if (ids.length === 0) return [skipped('no cloud is set up')]
    return Promise.all(ids.map((id) => checkCloud(subject, id)))
  },
}

/** Of a bot that takes no money the token is tried here; one that does is a payment provider. */
const checkTelegram = async ({ config, ask }: Subject): Promise<Finding | undefined> => {
  const { telegram } = config.identity
  if (!telegram || config.payments.stars) return undefined
  const answer = await ask(`https://api.telegram.org/bot${telegram.botToken}/getMe`).catch(reasonOf)
  if (typeof answer === 'string') {
    return warning(
      `Telegram cannot be asked (${answer})`,
      'Signing in needs no call to Telegram; sending messages does.',
    )
  }
  if (answer.status === 200) return ok('Telegram knows the bot')
  return problem(
    `Telegram refuses the bot's token (${answer.status})`,
    'Set TELEGRAM_BOT_TOKEN to the one of @BotFather.',
  )
}

const checkIssuer = async ({ ask }: Subject, name: string, issuer: string): Promise<Finding> => {
  const answer = await ask(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`).catch(reasonOf)
  if (typeof answer !== 'string' && answer.status === 200)
    return ok(`${name} answers; its secret is tried by signing in`)
  const said = typeof answer === 'string' ? answer : `it answers ${answer.status}`
  return problem(
    `${name} does not describe itself at ${issuer} (${said})`,
    `See its issuer in the settings of ${name}.`,
  )
}

export const identityCheck: Check = {
  name: 'signing-in',
  about: 'identity providers that customers sign in with',
  run: async (subject) => {
    const { oidc } = subject.config.identity
    const found = await Promise.all([
      checkTelegram(subject),
      ...oidc.map(({ name, issuer }) => checkIssuer(subject, name, issuer)),
    ])
    const findings = found.filter((finding) => finding !== undefined)
    return findings.length > 0 ? findings : [skipped('none is set up that could be tried without a person')]
  },
}
