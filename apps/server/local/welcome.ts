import { type Credentials, credentialsPath } from './credentials.ts'

/** What a newcomer needs to see: where it is, how to get in, and one line that buys something. */
export const welcome = (at: {
  readonly url: string
  readonly dataDir: string
  readonly credentials: Credentials | undefined
  /** Signs the demo's operator in, once. */
  readonly consoleLink?: string | undefined
  readonly startSeconds: number
}): string => {
  const lines = [
    '',
    `  Sallyport is ready: ${at.url}  (started in ${at.startSeconds.toFixed(1)} s)`,
    '',
    `  Cabinet            ${at.url}/`,
    `  API reference      ${at.url}/docs`,
    `  API                ${at.url}/v1`,
  ]
  if (!at.credentials) {
    lines.push(
      `  Operators sign in  ${at.url}/console/sign-in`,
      '',
      '  Nothing in it yet: bin/sallyport.mjs setup makes the first owner and what it takes to sell.',
      '',
    )
    return lines.join('\n')
  }
  const { api_key: apiKey, user } = at.credentials
  const body = '{"location_id":1,"protocol":"vless","payment_method_id":1,"tariff_id":1}'
  if (at.consoleLink) lines.push(`  Console (once)     ${at.consoleLink}`)
  lines.push(
    `  Subscription link  ${at.url}/sub/${user.subscription_key}`,
    `  Demo API key       ${apiKey}`,
    `  All credentials    ${credentialsPath(at.dataDir)}`,
    '',
    '  Buy a VPN configuration for 30 days from the demo balance (10 000 roubles):',
    '',
    `  curl -X POST ${at.url}/v1/configs -H 'Authorization: Bearer ${apiKey}' \\`,
    `    -H 'Content-Type: application/json' -d '${body}'`,
    '',
    '  Data is kept in one folder by an embedded database. It survives crashes of the service, not power loss:',
    '  for production set DATABASE_URL to a PostgreSQL server. Ctrl+C stops.',
    '',
  )
  return lines.join('\n')
}
