import { describe, expect, test } from 'vitest'
import { type Operation, rolesOf } from '../operation.ts'
import { allOperations, operationsOf, tablesFor } from '../tables.ts'

/**
 * The guard of the specification: its rows, copied by hand. The tables must say the same, so an edit of a
 * table that breaks the promise fails here. A new operation is written down here first.
 */
type Row = readonly [method: string, path: string, limit: string, auth: string, success: string]

const specified: readonly Row[] = [
  ['GET', '/configs', 'global', 'customer', '200'],
  ['GET', '/configs/tariffs', 'global', 'customer', '200'],
  ['GET', '/configs/available-servers', '5 per 5 s', 'customer', '200'],
  ['GET', '/configs/:config_id/serverStats', '3 per 5 s', 'customer', '200'],
  ['POST', '/configs', '1 per 1 s', 'customer', '201'],
  ['POST', '/configs/renewal/:config_id', '1 per 1 s', 'customer', '201'],
  ['PATCH', '/configs/:config_id/settings', '1 per 1 s', 'customer', '200'],
  ['POST', '/configs/makeBridge', '1 per 1 s', 'customer', '201'],
  ['PATCH', '/configs/:config_id/XrayConfig', '1 per 1 s', 'customer', '200'],
  ['POST', '/configs/:config_id/resetXrayConfig', '1 per 4 s', 'customer', '200'],
  ['PATCH', '/configs/:config_id/awgConfig', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/configs/title/:config_id', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/configs/:config_id/auto-renewal', '1 per 1 s', 'customer', '200'],
  ['GET', '/configs/:config_id/subconfig', 'global', 'customer', '200'],
  ['POST', '/configs/:config_id/subconfig', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/configs/:config_id/subconfig', '1 per 1 s', 'customer', '200'],
  ['DELETE', '/configs/:config_id/subconfig', '1 per 1 s', 'customer', '200'],
  ['GET', '/cloud-servers', 'global', 'customer', '200'],
  ['GET', '/cloud-servers/locations', 'global', 'customer', '200'],
  ['GET', '/cloud-servers/tariffs', 'global', 'customer', '200'],
  ['GET', '/cloud-servers/:id/serverStats', '3 per 5 s', 'customer', '200'],
  ['GET', '/cloud-servers/:server_id/configs', 'global', 'customer', '200'],
  ['POST', '/cloud-servers', '1 per 5 s', 'customer', '201'],
  ['POST', '/cloud-servers/renewal', '1 per 5 s', 'customer', '200 or 201'],
  ['POST', '/cloud-servers/:id/reboot', '1 per 30 s', 'customer', '200'],
  ['PATCH', '/cloud-servers/:id/auto-renewal', '1 per 1 s', 'customer', '200'],
  ['POST', '/cloud-servers/:server_id/configs', '1 per 1 s', 'customer', '201'],
  ['PATCH', '/cloud-servers/:server_id/configs/:id/protocol', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/cloud-servers/:server_id/configs/:id/xray', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/cloud-servers/:server_id/configs/:config_id/awg', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/cloud-servers/:server_id/configs/:id/title', '1 per 1 s', 'customer', '200'],
  ['DELETE', '/cloud-servers/:server_id/configs/:id', '1 per 1 s', 'customer', '200'],
  ['POST', '/cloud-servers/:server_id/configs/:config_id/resetXrayConfig', '1 per 4 s', 'customer', '200'],
  ['GET', '/cloud-servers/:server_id/proxies', 'global', 'customer', '200'],
  ['POST', '/cloud-servers/:server_id/proxies', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/cloud-servers/:server_id/proxies/:proxy_id/protocol', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/cloud-servers/:server_id/proxies/:proxy_id/title', '1 per 1 s', 'customer', '200'],
  ['DELETE', '/cloud-servers/:server_id/proxies/:proxy_id', '1 per 1 s', 'customer', '200'],
  ['GET', '/paid-options', '60 per 60 s', 'customer', '200'],
  ['GET', '/paid-options/tariffs', 'global', 'customer', '200'],
  ['POST', '/paid-options', '1 per 1 s', 'customer', '201'],
  ['GET', '/paid-options/:id/devices', '60 per 60 s', 'customer', '200'],
  ['DELETE', '/paid-options/:id/devices', '1 per 5 s', 'customer', '200'],
  ['DELETE', '/paid-options/:id/devices/:device_id', '20 per 60 s', 'customer', '200'],
  ['GET', '/paid-options/:id/subscription', '60 per 60 s', 'customer', '200'],
  ['PATCH', '/paid-options/:id/limits', '1 per 5 s', 'customer', '200'],
  ['PATCH', '/paid-options/:id/titles/:index', '5 per 2 s', 'customer', '200'],
  ['DELETE', '/paid-options/:id/titles/:index', '5 per 2 s', 'customer', '200'],
  ['GET', '/paid-options/:id/stats/:index', '3 per 5 s', 'customer', '200'],
  ['PATCH', '/paid-options/:id/auto-renewal', '1 per 1 s', 'customer', '200'],
  ['POST', '/paid-options/:id/configs', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/paid-options/:id/configs/:configId/settings', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/paid-options/:id/configs/:configId/xray', '1 per 1 s', 'customer', '200'],
  ['POST', '/paid-options/:id/configs/:configId/resetXrayConfig', '1 per 4 s', 'customer', '200'],
  ['PATCH', '/paid-options/:id/configs/:configId/title', '1 per 1 s', 'customer', '200'],
  ['GET', '/paid-options/:id/configs/:configId/stats', 'global', 'customer', '200'],
  ['GET', '/paid-options/:id/configs/available-servers', '5 per 5 s', 'customer', '200'],
  ['GET', '/paid-options/:id/configs/:configId/subconfig', 'global', 'customer', '200'],
  ['POST', '/paid-options/:id/configs/:configId/subconfig', '1 per 1 s', 'customer', '200'],
  ['PATCH', '/paid-options/:id/configs/:configId/subconfig', '1 per 1 s', 'customer', '200'],
  ['DELETE', '/paid-options/:id/configs/:configId/subconfig', '1 per 1 s', 'customer', '200'],
  ['GET', '/profile/custom-subscriptions', 'global', 'customer', '200'],
  ['GET', '/profile/custom-subscriptions/available-items', 'global', 'customer', '200'],
  ['GET', '/profile/custom-subscriptions/:id', 'global', 'customer', '200'],
  ['POST', '/profile/custom-subscriptions', '3 per 5 s', 'customer', '201'],
  ['PATCH', '/profile/custom-subscriptions/:id/title', '5 per 1 s', 'customer', '200'],
  ['PUT', '/profile/custom-subscriptions/:id/items', '3 per 2 s', 'customer', '200'],
  ['POST', '/profile/custom-subscriptions/:id/reset-key', '2 per 10 s', 'customer', '201'],
  ['DELETE', '/profile/custom-subscriptions/:id', '3 per 2 s', 'customer', '200'],
  ['GET', '/profile/custom-subscriptions/:id/encrypted-subscription-link', '3 per 60 s', 'customer', '200'],
  ['GET', '/profile/custom-subscriptions/:id/xray-template/settings', '60 per 60 s', 'customer', '200'],
  ['PATCH', '/profile/custom-subscriptions/:id/xray-template/settings', '3 per 1 s', 'customer', '200'],
  ['GET', '/profile/custom-subscriptions/:id/xray-template', '60 per 60 s', 'customer', '200'],
  ['PUT', '/profile/custom-subscriptions/:id/xray-template', '3 per 1 s', 'customer', '200'],
  ['DELETE', '/profile/custom-subscriptions/:id/xray-template', '3 per 2 s', 'customer', '200'],
  ['GET', '/profile/custom-subscriptions/:id/devices', 'global', 'customer', '200'],
  ['GET', '/profile/custom-subscriptions/:id/devices/settings', 'global', 'customer', '200'],
  ['PATCH', '/profile/custom-subscriptions/:id/devices/settings', '3 per 1 s', 'customer', '200'],
  ['PATCH', '/profile/custom-subscriptions/:id/devices/:deviceId/blocked', '3 per 1 s', 'customer', '200'],
  ['DELETE', '/profile/custom-subscriptions/:id/devices/:deviceId', '3 per 1 s', 'customer', '200'],
  ['DELETE', '/profile/custom-subscriptions/:id/devices', '1 per 2 s', 'customer', '200'],
  ['GET', '/profile', 'global', 'customer', '200'],
  ['GET', '/profile/notification-settings', 'global', 'customer', '200'],
  ['PATCH', '/profile/notification-settings', '5 per 60 s', 'customer', '200'],
  ['GET', '/profile/notifications', 'global', 'customer', '200'],
  ['GET', '/profile/referral', 'global', 'customer', '200'],
  ['GET', '/profile/referral/withdraw/sbp-bank-list', '5 per 5 s', 'customer', '200'],
  ['POST', '/profile/referral/withdraw/sbp', '1 per 3 s', 'customer', '201'],
  ['POST', '/profile/referral/withdraw/card', '1 per 3 s', 'customer', '201'],
  ['GET', '/profile/balance/calculate', '5 per 1 s', 'customer', '200'],
  ['POST', '/profile/balance/topup', '1 per 1 s', 'customer', '200'],
  ['GET', '/profile/payments-history', 'global', 'customer', '200'],
  ['GET', '/profile/promocodes', '30 per 60 s', 'customer', '200'],
  ['PATCH', '/profile/subscriptionLink', '2 per 60 s', 'customer', '200'],
  ['GET', '/profile/devices', 'global', 'customer', '200'],
  ['GET', '/profile/devices/settings', 'global', 'customer', '200'],
  ['PATCH', '/profile/devices/settings', '5 per 1 s', 'customer', '200'],
  ['PATCH', '/profile/devices/:id/blocked', '5 per 1 s', 'customer', '200'],
  ['DELETE', '/profile/devices/:id', '5 per 1 s', 'customer', '200'],
  ['DELETE', '/profile/devices', '1 per 1 s', 'customer', '200'],
  ['POST', '/profile/otp', '3 per 60 s', 'session', '201'],
  ['POST', '/profile/signInCode', '3 per 60 s', 'session', '201'],
  ['DELETE', '/profile', '1 per 300 s', 'session', '200'],
  ['GET', '/locations', 'global', 'customer', '200'],
  ['POST', '/xray/keys', '1 per 1 s', 'customer', '201'],
]

/** Where the specification is silent ("how an API key is issued and revoked: not shown"), our own choice. */
const decided: readonly Row[] = [
  ['GET', '/configs/bridges', 'global', 'customer', '200'],
  ['DELETE', '/configs/bridges/:bridge_id', '1 per 1 s', 'customer', '200'],
  ['POST', '/configs/:config_id/resetCredentials', '1 per 4 s', 'customer', '200'],
  ['POST', '/cloud-servers/:server_id/configs/:config_id/resetCredentials', '1 per 4 s', 'customer', '200'],
  ['POST', '/paid-options/:id/configs/:configId/resetCredentials', '1 per 4 s', 'customer', '200'],
  ['POST', '/profile/resetCredentials', '1 per 60 s', 'session', '200'],
  ['GET', '/profile/payments/:id', 'global', 'customer', '200'],
  ['GET', '/profile/referral/terms', 'global', 'customer', '200'],
  ['GET', '/profile/api-keys', 'global', 'session', '200'],
  ['POST', '/profile/api-keys', 'global', 'session', '201'],
  ['DELETE', '/profile/api-keys/:id', 'global', 'session', '200'],
  ['GET', '/profile/export', '2 per 60 s', 'session', '200'],
  ['GET', '/profile/sessions', 'global', 'session', '200'],
  ['DELETE', '/profile/sessions/:id', 'global', 'session', '200'],
  ['POST', '/profile/transfer/createKey', 'global', 'session', '201'],
  ['POST', '/profile/transfer/activateKey', 'global', 'session', '200'],
  ['GET', '/profile/passkeys', 'global', 'session', '200'],
  ['POST', '/profile/passkeys', 'global', 'session', '200'],
  ['POST', '/profile/passkeys/verify', 'global', 'session', '201'],
  ['DELETE', '/profile/passkeys/:id', 'global', 'session', '200'],
  ['GET', '/profile/identities', 'global', 'session', '200'],
  ['DELETE', '/profile/identities/:id', 'global', 'session', '200'],
  ['PATCH', '/profile/onboarding', 'global', 'session', '200'],
  ['GET', '/apps', 'global', 'customer', '200'],
  ['GET', '/one-time-links', 'global', 'customer', '200'],
  ['POST', '/one-time-links', '10 per 60 s', 'customer', '201'],
  ['DELETE', '/one-time-links/:id', 'global', 'customer', '200'],
  ['POST', '/one-time-links/open', '30 per 60 s', 'public', '200'],
  ['GET', '/auth/methods', '60 per 60 s', 'visitor', '200'],
  ['POST', '/auth/email/start', '10 per 60 s', 'visitor', '200'],
  ['POST', '/auth/email/verify', '30 per 60 s', 'visitor', '200'],
  ['POST', '/auth/subscription/start', '10 per 60 s', 'visitor', '200'],
  ['POST', '/auth/subscription/verify', '30 per 60 s', 'visitor', '200'],
  ['POST', '/subscription/state', '30 per 60 s', 'public', '200'],
  ['POST', '/auth/signInCode', '30 per 60 s', 'visitor', '200'],
  ['POST', '/auth/otp', '30 per 60 s', 'visitor', '200'],
  ['POST', '/auth/telegram', '30 per 60 s', 'visitor', '200'],
  ['GET', '/auth/oauth/:provider/start', '30 per 60 s', 'visitor', '302'],
  ['POST', '/auth/oauth/:provider/start', '30 per 60 s', 'visitor', '200'],
  ['GET', '/auth/oauth/:provider/callback', '30 per 60 s', 'visitor', '200 or 302'],
  ['POST', '/auth/passkey/options', '60 per 60 s', 'visitor', '200'],
  ['POST', '/auth/passkey/verify', '30 per 60 s', 'visitor', '200'],
  ['POST', '/auth/refresh', '60 per 60 s', 'visitor', '200'],
  ['POST', '/auth/logout', 'global', 'session', '200'],
  ['POST', '/auth/logoutAll', 'global', 'session', '200'],
]

/** Promised to the operator from the first day. */
/** Those of operator.md with who may call them: all is owner, support and finance. */
type Promised = readonly [method: string, path: string, who: string, success: string]

const catalogue: readonly Promised[] = [
  ['GET', '/locations', 'all technician', '200'],
  ['POST', '/locations', 'owner', '201'],
  ['PATCH', '/locations/:id', 'owner', '200'],
  ['DELETE', '/locations/:id', 'owner', '200'],
  ['POST', '/payment-methods', 'owner finance', '201'],
  ['GET', '/config-tariffs', 'all', '200'],
  ['PUT', '/config-tariffs', 'owner finance', '200'],
  ['GET', '/prices', 'all', '200'],
  ['POST', '/setup', 'owner', '201'],
  ['GET', '/payment-methods', 'all', '200'],
  ['PATCH', '/payment-methods/:id', 'owner finance', '200'],
]

const fleet: readonly Promised[] = [
  ['GET', '/nodes', 'all technician', '200'],
  ['POST', '/nodes', 'owner technician', '201'],
  ['POST', '/nodes/:id/enrolment', 'owner technician', '200'],
  ['DELETE', '/nodes/:id', 'owner technician', '200'],
  ['GET', '/nodes/:id', 'all technician', '200'],
  ['PATCH', '/nodes/:id', 'owner technician', '200'],
  ['GET', '/nodes/:id/load', 'all technician', '200'],
  ['POST', '/servers', 'owner technician', '201'],
  ['GET', '/servers', 'all technician', '200'],
  ['GET', '/servers/:id', 'all technician', '200'],
  ['PATCH', '/servers/:id', 'owner technician', '200'],
  ['DELETE', '/servers/:id', 'owner technician', '200'],
  ['POST', '/servers/:id/drain', 'owner support technician', '200'],
  ['GET', '/servers/:id/drain', 'owner support technician', '200'],
  ['DELETE', '/servers/:id/drain', 'owner support technician', '200'],
  ['GET', '/agent-upgrades', 'all technician', '200'],
  ['POST', '/agent-upgrades', 'owner technician', '201'],
  ['GET', '/agent-upgrades/:id', 'all technician', '200'],
  ['POST', '/agent-upgrades/:id/stop', 'owner technician', '200'],
  ['POST', '/agent-upgrades/:id/continue', 'owner technician', '200'],
  ['POST', '/agent-upgrades/:id/back', 'owner technician', '201'],
  ['POST', '/terms/:id/move', 'owner support', '200'],
  ['GET', '/cloud-servers', 'all technician', '200'],
  ['DELETE', '/clouds/:id', 'owner', '200'],
]

const people: readonly Promised[] = [
  ['GET', '/users', 'all', '200'],
  ['GET', '/users/:id', 'all', '200'],
  ['PATCH', '/users/:id', 'owner support', '200'],
  ['GET', '/users/:id/diagnosis', 'all', '200'],
  ['POST', '/users/:id/sign-out', 'owner support', '200'],
  ['GET', '/broadcasts', 'owner', '200'],
  ['POST', '/broadcasts', 'owner', '200 or 201'],
  ['GET', '/broadcasts/:id', 'owner', '200'],
  ['DELETE', '/broadcasts/:id', 'owner', '200'],
  ['POST', '/users', 'all', '201'],
  ['POST', '/users/:id/pricing-rules', 'owner finance', '201'],
  ['POST', '/users/:id/notifications', 'all', '201'],
  ['POST', '/terms/:id/days', 'owner support', '200'],
  ['POST', '/users/:id/grants', 'owner', '201'],
]

const figures: readonly Promised[] = [
  ['POST', '/promocodes', 'owner finance', '201'],
  ['GET', '/orders', 'all', '200'],
  ['GET', '/orders/:id', 'all', '200'],
  ['GET', '/ledger', 'owner finance', '200'],
  ['GET', '/ledger/check', 'owner finance', '200'],
  ['GET', '/overview', 'all', '200'],
  ['GET', '/statistics/sales', 'owner finance', '200'],
  ['GET', '/statistics/customers', 'all', '200'],
  ['GET', '/statistics/traffic', 'all technician', '200'],
  ['GET', '/statistics/fleet', 'all technician', '200'],
]

const staff: readonly Promised[] = [
  ['GET', '/me', 'all technician', '200'],
  ['GET', '/operators', 'owner', '200'],
  ['POST', '/operators', 'owner', '201'],
  ['PATCH', '/operators/:id', 'owner', '200'],
  ['POST', '/operators/:id/sign-in-link', 'owner', '201'],
  ['POST', '/auth/link', 'public', '200'],
  ['POST', '/auth/passkeys/options', 'public', '200'],
  ['POST', '/auth/passkeys/verify', 'public', '200'],
  ['POST', '/auth/refresh', 'public', '200'],
  ['POST', '/auth/sign-out', 'public', '200'],
  ['GET', '/auth/sessions', 'public', '200'],
  ['DELETE', '/auth/sessions/:id', 'public', '200'],
  ['GET', '/operators/:id/tokens', 'all', '200'],
  ['POST', '/operators/:id/tokens', 'all', '201'],
  ['DELETE', '/operators/:id/tokens/:token_id', 'all', '200'],
  ['GET', '/alerts', 'all technician', '200'],
  ['GET', '/audit', 'all', '200'],
  ['GET', '/settings', 'all', '200'],
]

const webhooks: readonly Promised[] = [
  ['GET', '/webhooks', 'owner', '200'],
  ['POST', '/webhooks', 'owner', '201'],
  ['PATCH', '/webhooks/:id', 'owner', '200'],
  ['DELETE', '/webhooks/:id', 'owner', '200'],
  ['POST', '/webhooks/:id/test', 'owner', '200'],
  ['GET', '/webhooks/:id/deliveries', 'owner', '200'],
]

const cabinet: readonly Promised[] = [
  ['GET', '/cabinet/settings', 'all', '200'],
  ['PATCH', '/cabinet/settings', 'owner', '200'],
  ['GET', '/cabinet/logo', 'all', '200'],
  ['PUT', '/cabinet/logo', 'owner', '200'],
  ['DELETE', '/cabinet/logo', 'owner', '200'],
]

const promisedToOperators = [...catalogue, ...fleet, ...people, ...figures, ...staff, ...webhooks, ...cabinet]

const limitOf = ({ limit }: Operation): string =>
  typeof limit === 'string' ? limit : `${limit.points} per ${limit.seconds} s`

const rowOf = (row: Operation): Row => [
  row.method,
  row.path,
  limitOf(row),
  row.auth,
  Object.keys(row.response).join(' or '),
]

const whoMayCall = (row: Operation): string => {
  if (row.auth !== 'operator') return row.auth
  const who = rolesOf(row).join(' ')
  return who.replace('owner support finance', 'all')
}

const sorted = (rows: readonly Row[]): string[] => rows.map((row) => row.join(' | ')).sort()

describe('the tables say what the specification says', () => {
  test('customers', () => {
    const actual = [...operationsOf(tablesFor('customer'))].map(({ row }) => rowOf(row))
    expect(sorted(actual)).toEqual(sorted([...specified, ...decided]))
  })

  test('operators', () => {
    const actual = [...operationsOf(tablesFor('operator'))].map(({ row }) => {
      const success = Object.keys(row.response).join(' or ')
      return `${row.method} ${row.path} | ${whoMayCall(row)} | ${success}`
    })
    const promised = promisedToOperators.map(
      ([method, path, who, success]) => `${method} ${path} | ${who} | ${success}`,
    )
    expect(actual).toEqual(expect.arrayContaining(promised))
  })

  test('base addresses', () => {
    const bases = new Map([...allOperations()].map(({ table }) => [table.audience, table.base]))
    expect(Object.fromEntries(bases)).toEqual({
      customer: '/v1',
      operator: '/operator/v1',
      agent: '/agent/v1',
    })
  })
})

describe('every row is sound', () => {
  test('names, and addresses with their methods, are unique', () => {
    const all = [...allOperations()]
    const addresses = all.map(({ base, row }) => `${row.method} ${base}${row.path}`)
    expect(new Set(addresses).size).toBe(all.length)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test.each([...allOperations()])('$name declares the parameters of its path', ({ row }) => {
    const inPath = [...row.path.matchAll(/:(\w+)/g)].map((match) => match[1])
    const { properties = {} } = (row.request.params ?? {}) as { properties?: object }
    expect(Object.keys(properties)).toEqual(inPath)
  })

  const idempotent = [...allOperations()].filter(({ row }) => row.idempotent)

  test.each(idempotent)('$name declares the CONFLICT that an idempotency key may meet', ({ row }) => {
    expect(row.errors).toContain('CONFLICT')
  })

  test.each([...allOperations()])('$name is told in both languages', ({ row: { summary } }) => {
    expect(summary.en).toMatch(/^[^а-яё]+$/i)
    expect(summary.ru).toMatch(/[а-яё]/i)
  })
})
