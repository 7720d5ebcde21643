import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { type Finding, orElse, problem, warning } from '../finding.ts'
import type { Check } from '../subject.ts'

/** Settings that each can be, and do not go together or are not for customers. */

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host)

/** A name without a dot is of a private network too. */
const isPrivate = (host: string): boolean =>
  isLoopback(host) ||
  host === '' ||
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?f[cd])/.test(host) ||
  (isIP(host) === 0 && (!host.includes('.') || /\.(internal|local|lan)$/.test(host)))

const judgePublicUrl = ({ publicUrl }: Config): Finding[] => {
  const example = 'Set PUBLIC_URL to the address that customers open, like https://vpn.example.com.'
  if (!publicUrl) return [problem('PUBLIC_URL is not set: links lead to where the service listens', example)]
  const { protocol, hostname } = new URL(publicUrl)
  return [
    ...(isLoopback(hostname)
      ? [problem(`PUBLIC_URL leads to ${hostname}, which customers do not reach`, example)]
      : []),
    ...(protocol === 'http:' && !isLoopback(hostname)
      ? [
          problem(
            'PUBLIC_URL is without encryption: keys and sessions can be read on the way',
            `Put a proxy with a certificate in front, and set PUBLIC_URL to ${publicUrl.replace('http:', 'https:')}.`,
          ),
        ]
      : []),
  ]
}

const everywhere = ['0.0.0.0', '::']

const judgeProxies = ({ host, publicUrl, trustedProxies, payments }: Config): Finding[] => {
  const isBehindTls = publicUrl !== undefined && new URL(publicUrl).protocol === 'https:'
  const findings: Finding[] = []
  const wide = trustedProxies.filter((network) => /\/0$/.test(network))
  if (wide.length > 0) {
    findings.push(
      problem(
        `TRUSTED_PROXIES has ${wide.join(', ')}: every caller may say which address it comes from`,
        'Name the addresses of your proxies only, like 127.0.0.1 or 10.0.0.0/24.',
      ),
    )
  }
  if (isBehindTls && trustedProxies.length === 0) {
    const yookassa = payments.yookassa ? ', and notifications of YooKassa are refused' : ''
    findings.push(
      problem(
        `TRUSTED_PROXIES is empty, though a proxy brings the encryption: all callers count as one address${yookassa}`,
        'Set TRUSTED_PROXIES to the address of the proxy as the service sees it: 127.0.0.1 for one on this machine.',
      ),
    )
  }
  if (isBehindTls && everywhere.includes(host)) {
    findings.push(
      warning(
        `HOST=${host}: the service can be reached past the proxy, without encryption`,
        'Set HOST=127.0.0.1 for a proxy on this machine; otherwise let the firewall pass the proxies only.',
      ),
    )
  }
  return findings
}

const judgePayments = ({ payments }: Config): Finding[] => {
  const { sandbox, yookassa, cryptoPay, stars, stripe } = payments
  const isReal = [yookassa, cryptoPay, stars, stripe].some((given) => given !== undefined)
  const moved = Object.entries({ YOOKASSA_URL: yookassa, CRYPTO_PAY_URL: cryptoPay, STRIPE_URL: stripe })
    .concat([['TELEGRAM_URL', stars as never]])
    .flatMap(([name, provider]) => (provider?.url ? [name] : []))
  return [
    ...(sandbox
      ? [
          problem(
            'SANDBOX_PAYMENTS is on: whoever chooses it pays with nothing',
            'Unset SANDBOX_PAYMENTS where real customers buy.',
          ),
        ]
      : []),
    ...(!isReal && !sandbox
      ? [
          warning(
            'No payment provider is set up: customers can pay from their balance only',
            'Set one up: YOOKASSA_…, CRYPTO_PAY_TOKEN, TELEGRAM_WEBHOOK_SECRET or STRIPE_… (docs/operations.md).',
          ),
        ]
      : []),
    ...(moved.length > 0
      ? [
          warning(
            `${moved.join(', ')} is set: payments go somewhere else than to the provider`,
            'Unset it unless this service is for trying out.',
          ),
        ]
      : []),
  ]
}

const judgeLines = ({ databaseUrl, redisUrl, identity }: Config): Finding[] => {
  const findings: Finding[] = []
  const database = new URL(databaseUrl ?? 'postgres://localhost')
  const mode = database.searchParams.get('sslmode')
  if (!isPrivate(database.hostname) && (mode === null || ['disable', 'allow', 'prefer'].includes(mode))) {
    findings.push(
      warning(
        `DATABASE_URL leads to ${database.hostname} without encryption`,
        'Add ?sslmode=verify-full to DATABASE_URL, or keep the database in a private network.',
      ),
    )
  }
  if (redisUrl?.startsWith('redis:') && !isPrivate(new URL(redisUrl).hostname)) {
    findings.push(
      warning(
        `REDIS_URL leads to ${new URL(redisUrl).hostname} without encryption`,
        'Use rediss://, or keep Redis in a private network.',
      ),
    )
  }
  if (!identity.smtp) {
    findings.push(
      warning(
        'SMTP_URL is not set: letters are files in DATA_DIR/mail, and nobody gets them',
        'Set SMTP_URL and MAIL_FROM to your mail server.',
      ),
    )
  }
  return findings
}

const judgeRest = (config: Config): Finding[] => {
  const findings: Finding[] = []
  const { metricsToken, logLevel, webhooksToLoopback } = config
  if (metricsToken === undefined || metricsToken.length < 16) {
    findings.push(
      warning(
        metricsToken === undefined
          ? 'METRICS_TOKEN is not set: nobody can watch it'
          : 'METRICS_TOKEN is short',
        'Set METRICS_TOKEN to the outcome of openssl rand -hex 24, and give it to Prometheus.',
      ),
    )
  }
  if (['trace', 'debug', 'fatal', 'silent'].includes(logLevel)) {
    findings.push(
      warning(
        `LOG_LEVEL=${logLevel}: ${['trace', 'debug'].includes(logLevel) ? 'the log grows quickly' : 'failures leave no trace'}`,
        'Unset LOG_LEVEL, or set it to info.',
      ),
    )
  }
  if (webhooksToLoopback) {
    findings.push(
      warning(
        'WEBHOOKS_TO_LOOPBACK is on: operators may have events sent to programs of this machine',
        'Unset WEBHOOKS_TO_LOOPBACK.',
      ),
    )
  }
  return findings
}

export const judgeSettings = (config: Config): readonly Finding[] => {
  if (!config.databaseUrl) {
    return [
      warning(
        'DATABASE_URL is not set: this is the embedded default, for trying out. It survives no power cut',
        'For customers, set DATABASE_URL to a PostgreSQL (docs/operations.md, Install).',
      ),
    ]
  }
  const judges = [judgePublicUrl, judgeProxies, judgePayments, judgeLines, judgeRest]
  return orElse(
    judges.flatMap((judge) => judge(config)),
    'go together',
  )
}

export const settingsCheck: Check = {
  name: 'settings',
  about: 'settings that do not go together, or are not for customers',
  run: ({ config }) => judgeSettings(config),
}
