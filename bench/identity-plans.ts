import { sql } from 'kysely'
import { tidy } from '../apps/server/compose/tidy.ts'
import {
  admitDevice,
  devicesPage,
  forgetDevices,
  markDeviceBlocked,
} from '../apps/server/core/accounts/devices/devices.ts'
import { storeSeen } from '../apps/server/core/accounts/devices/seen-devices.ts'
import {
  findByLongCode,
  keepMailedCode,
  spendLetter,
  tryNewest,
} from '../apps/server/core/accounts/mailed-codes.ts'
import { endSessions } from '../apps/server/core/accounts/sessions.ts'
import {
  changeKey,
  deleteSubscriptionsOf,
  findDeviceSettings,
  lockSubscription,
  storeDeviceSettings,
} from '../apps/server/core/accounts/subscription-keys.ts'
import { moveEverything } from '../apps/server/core/closing/account-move.ts'
import { deleteAccount } from '../apps/server/core/closing/deletion.ts'
import { customerPasskeys } from '../apps/server/core/kernel/passkeys/store.ts'
import { count } from '../apps/server/core/kernel/security-counters.ts'
import { sha256 } from '../apps/server/core/kernel/vault.ts'
import { listApiKeys } from '../apps/server/features/identity/api-keys/queries.ts'
import { canSignIn, listIdentities } from '../apps/server/features/identity/common/identity-queries.ts'
import { takeOauthState } from '../apps/server/features/identity/oauth/queries.ts'
import { findByLogin } from '../apps/server/features/identity/own-codes/queries.ts'
import { lockFamily } from '../apps/server/features/identity/sessions/queries.ts'
import { findWaysIn } from '../apps/server/features/identity/subscription/queries.ts'
import { listEvents } from '../apps/server/features/operator/people/queries.ts'
import type { Work } from './scans.ts'
import { makeTools } from './terms-plans.ts'

/** Signing in, devices, and everything that happens to an account. */

const early = 1_700_000_000

const deviceWorks = (userId: number): readonly Work[] => {
  const { vault } = makeTools()
  const ref = { userId }
  const told = {
    name: 'Pixel',
    type: 'android',
    model: 'Pixel',
    osVersion: '15',
    platform: 'Android',
  } as const
  const settings = { block_unknown_devices: false, device_limit: 0 }
  return [
    ['devices', (tx) => devicesPage(tx, userId, null, 100, 0)],
    [
      'a new device',
      async (tx) => {
        const held = await lockSubscription(tx, ref)
        if (!held) throw new Error('No subscription')
        const at = {
          ...ref,
          subscriptionId: held.id,
          cameWith: { subscriptionId: held.id, keyHash: held.key_hash },
          now: early,
        }
        await admitDevice(tx, settings, {
          ...at,
          hwidHash: sha256('another device'),
          isFingerprint: true,
          foundBy: undefined,
          told,
        })
      },
    ],
    [
      'devices that come again',
      (tx) =>
        storeSeen(
          tx,
          [77, 78].map((id) => ({ id, told, at: early * 2, foundBy: sha256('device9') })),
        ),
    ],
    ['a device that is blocked', (tx) => markDeviceBlocked(tx, ref, { id: 77, isBlocked: true })],
    ['a device that is forgotten', (tx) => forgetDevices(tx, ref, 77)],
    ['devices that are forgotten', (tx) => forgetDevices(tx, ref)],
    ['settings for devices', (tx) => findDeviceSettings(tx, ref)],
    ['a change of these', (tx) => storeDeviceSettings(tx, ref, settings)],
    ['a new key', (tx) => changeKey(tx, vault, ref)],
    ['subscriptions that go', (tx) => deleteSubscriptionsOf(tx, userId)],
  ]
}

export const identityWorks = (userId: number): readonly Work[] => {
  const { vault, bus, products } = makeTools()
  const state = { stateHash: sha256('state9'), provider: 'google', browserHash: Buffer.alloc(1), now: early }
  const letter = { email: 'nobody@example.com', network: '203.0.113.1', long: '0'.repeat(16), now: early }
  const right = { id: 9, digitsHash: Buffer.alloc(1), referralCode: null, mailedAt: early }
  const [asker, recipient] = [sha256('asker9'), sha256('recipient9')]
  const guesses = ['one', 'other'].map((name) => ({
    now: early,
    counters: [1, 2, 3].map((at) => ({ key: `sign-in:ip:${name}${at}`, most: 10, windowSeconds: 3600 })),
  }))
  return [
    ['a guess', (tx) => count(tx, guesses)],
    [
      'a letter with codes',
      (tx) => keepMailedCode(tx, vault, { ...letter, digits: '000000', referralCode: undefined }),
    ],
    ['digits of the asker', (tx) => tryNewest(tx, sql`asker_hash = ${asker}`, 'tries_left', early)],
    [
      'digits elsewhere',
      (tx) => tryNewest(tx, sql`recipient_hash = ${recipient}`, 'foreign_tries_left', early),
    ],
    ['a long code', (tx) => findByLongCode(tx, vault, letter)],
    ['a used letter', (tx) => spendLetter(tx, right)],
    ...deviceWorks(userId),
    ['API keys', (tx) => listApiKeys(tx, userId)],
    ['a refresh token', (tx) => lockFamily(tx, sha256('token9'), early)],
    ['sessions to end', (tx) => endSessions(tx, userId, early)],
    ['a passkey', (tx) => customerPasskeys.find(tx, sha256('credential9'))],
    ['passkeys', (tx) => customerPasskeys.list(tx, userId)],
    ['accounts elsewhere', (tx) => listIdentities(tx, userId)],
    ['ways to sign in', (tx) => canSignIn(tx, userId, ['google', 'telegram'])],
    ['ways that are told by a key', (tx) => findWaysIn(tx, userId)],
    ['an account by address', (tx) => findByLogin(tx, 'nobody@example.com')],
    ['a sign-in at a provider', (tx) => takeOauthState(tx, state)],
    ['operator: events of an account', (tx) => listEvents(tx, userId, { limit: 100 })],
    [
      'a transfer',
      (tx) =>
        moveEverything(
          tx,
          { vault, bus, products, now: early },
          { fromId: userId, toId: userId + 1, cause: 'bench', now: early },
        ),
    ],
    ['a deletion', (tx) => deleteAccount(tx, { vault, bus, products, now: early }, userId)],
    // A fifth of the copies are over.
    ['housekeeping', (tx) => tidy(tx, early), ['held_accesses']],
  ]
}
