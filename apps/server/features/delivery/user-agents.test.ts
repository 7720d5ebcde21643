import { protocols } from '@sallyport/contract/shapes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { apps, browsers } from '../../../../test/support/user-agents.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 10_000 })
  for (const protocol of protocols) await service.buy(user, { protocol })
})
afterAll(() => service.stop())

/** How each kind of answer begins: what is said of it, and what it is. */
const kinds = {
  base64: ['text/plain; charset=utf-8', /^[A-Za-z0-9+/]+=*$/],
  mihomo: ['text/yaml; charset=utf-8', /"?type"?: "?vless/],
  stash: ['text/yaml; charset=utf-8', /server-cert-fingerprint/],
  clash: ['text/yaml; charset=utf-8', /^(?![\s\S]*vless)[\s\S]*type: "ss"/],
  'sing-box 1.11': ['application/json; charset=utf-8', /"dns":\{"servers":\[\{[^}]*"address":/],
  'sing-box 1.12': ['application/json; charset=utf-8', /"dns":\{"servers":\[\{[^}]*"type":/],
  outline: ['application/json; charset=utf-8', /^\{"server":"[^"]+","server_port":\d+,"method":/],
  conf: ['application/zip', /^PK/],
  page: ['text/html; charset=utf-8', /^<!doctype html>/],
} as const
type Kind = keyof typeof kinds

const expectKind = async (headers: Record<string, string>, kind: Kind): Promise<void> => {
  const answer = await fetch(`${service.running.url}/sub/${user.subscription_key}`, { headers })
  const [type, beginning] = kinds[kind]
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
  expect(await answer.text()).toMatch(beginning)
}

test.each(apps)('%s is given %s', (userAgent, kind) =>
  expectKind({ 'user-agent': userAgent, accept: '*/*' }, kind))

test.each(browsers)('%s is given the page', (userAgent) =>
  expectKind({ 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, 'page'))
