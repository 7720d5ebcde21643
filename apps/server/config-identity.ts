import { ConfigError, type Env, fail, readChoice, readUrl } from './config-values.ts'

/** How customers sign in: mail, Telegram and identity providers, each on when its settings are given. */

export interface OidcSettings {
  /** In addresses and as sign_in_method. */
  readonly name: string
  readonly title: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  /**
   * Whether an address the provider calls verified is the person's: `always`, `never`, or only where the provider
   * itself runs the mailbox (`google`).
   */
  readonly trustsEmail: 'always' | 'never' | 'google'
}

export interface VkSettings {
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly url: string
}

export interface IdentityConfig {
  /** Undefined: letters are written to a folder. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined
  readonly telegram: { readonly botToken: string; readonly botName: string | undefined } | undefined
  readonly oidc: readonly OidcSettings[]
  readonly vk: VkSettings | undefined
}

const nameShape = /^[a-z][a-z0-9-]{0,31}$/
const taken = new Set(['google', 'vk', 'telegram', 'authcode', 'signin'])

const need = (env: Env, name: string, because: string): string => {
  const value = env[name]
  if (!value) throw new ConfigError(`${name} is missing: ${because} does not work without it.`)
  return value
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** Sign-ins over plain HTTP could be read and changed on the way, so only this machine may be asked so. */
const readAddress = (env: Env, name: string, example: string): string | undefined => {
  const text = readUrl(env, name, ['https:', 'http:'], example)
  if (text === undefined) return undefined
  const { protocol, hostname } = new URL(text)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    fail(name, text, `give an address that begins with https://, like ${example}`)
  }
  return text.replace(/\/+$/, '')
}

const readGoogle = (env: Env): OidcSettings[] => {
  const clientId = env.GOOGLE_CLIENT_ID
  if (!clientId) return []
  return [
    {
      name: 'google',
      title: 'Google',
      issuer:
        readAddress(env, 'GOOGLE_ISSUER', 'https://accounts.google.com') ?? 'https://accounts.google.com',
      clientId,
      clientSecret: need(env, 'GOOGLE_CLIENT_SECRET', 'GOOGLE_CLIENT_ID'),
      scope: 'openid email',
      trustsEmail: 'google',
    },
  ]
}

const readOther = (env: Env, name: string): OidcSettings => {
  if (!nameShape.test(name) || taken.has(name)) {
    fail('OIDC_PROVIDERS', name, 'give names of small letters, digits and hyphens that are not taken.')
  }
  const prefix = `OIDC_${name.toUpperCase().replaceAll('-', '_')}`
  const because = `OIDC_PROVIDERS=${name}`
  need(env, `${prefix}_ISSUER`, because)
  return {
    name,
    title: env[`${prefix}_TITLE`] || name,
    issuer: readAddress(env, `${prefix}_ISSUER`, 'https://id.example.com') as string,
    clientId: need(env, `${prefix}_CLIENT_ID`, because),
    clientSecret: need(env, `${prefix}_CLIENT_SECRET`, because),
    scope: env[`${prefix}_SCOPE`] || 'openid email',
    trustsEmail: readChoice(env, `${prefix}_TRUST_EMAIL`, ['on', 'off'], 'off') === 'on' ? 'always' : 'never',
  }
}

const readVk = (env: Env): VkSettings | undefined => {
  const clientId = env.VK_CLIENT_ID
  if (!clientId) return undefined
  const url = readAddress(env, 'VK_URL', 'https://id.vk.com') ?? 'https://id.vk.com'
  return { clientId, clientSecret: env.VK_CLIENT_SECRET || undefined, url }
}

const senderShape = /^([^<>\p{Cc}]*<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/u

const readSmtp = (env: Env): IdentityConfig['smtp'] => {
  const example = 'smtps://user:password@mail.example.com'
  const url = readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:'], example)
  if (url === undefined) return undefined
  if (!new URL(url).hostname) {
    throw new ConfigError(`SMTP_URL is not usable: give an address like ${example}`)
  }
  const from = need(env, 'MAIL_FROM', 'SMTP_URL')
  if (!senderShape.test(from)) fail('MAIL_FROM', from, 'give one like Sallyport <no-reply@example.com>.')
  return { url, from }
}

export const readIdentity = (env: Env): IdentityConfig => {
  const names = (env.OIDC_PROVIDERS ?? '').split(',').map((name) => name.trim())
  const botToken = env.TELEGRAM_BOT_TOKEN
  return {
    smtp: readSmtp(env),
    telegram: botToken ? { botToken, botName: env.TELEGRAM_BOT_NAME || undefined } : undefined,
    oidc: [...readGoogle(env), ...names.filter((name) => name !== '').map((name) => readOther(env, name))],
    vk: readVk(env),
  }
}
