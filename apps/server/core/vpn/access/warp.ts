import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { WarpRegistration } from '../../../ports/warp.ts'
import { takeDue } from '../../kernel/due-rows.ts'
import type { Vault } from '../../kernel/vault.ts'
import { warpKeyContext } from './instances.ts'

/** WARP accounts: one an access, made when it first asks for it and kept when it moves. */

export const warpBatchSize = 50

/** Cloudflare's own, the same for every account until its registration says otherwise. */
const usual = {
  addresses: ['172.16.0.2/32'],
  peerPublicKey: 'bmXOC+F1FxEMF9dyiK2H5/1SUtzH0JuVo51h2wPfgyo=',
  endpoint: '162.159.192.1:2408',
}

const base64 = (text: string | undefined): string => Buffer.from(text ?? '', 'base64url').toString('base64')

export const ensureWarpAccount = async (
  tx: Db,
  { vault, now }: { readonly vault: Vault; readonly now: number },
  accessId: number,
): Promise<void> => {
  const key = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  await tx
    .insertInto('warp_accounts')
    .values({
      access_id: accessId,
      private_key_sealed: vault.seal(base64(key.d), warpKeyContext),
      public_key: base64(key.x),
      addresses: usual.addresses,
      peer_public_key: usual.peerPublicKey,
      endpoint: usual.endpoint,
      registered_at: null,
      next_try_at: now,
      created_at: now,
    })
    .onConflict((oc) => oc.column('access_id').doNothing())
    .execute()
}

/** Accounts whose registration is due; the next try is put off first, so that rivals do not double it. */
export const takeDueWarpAccounts = (db: Db, now: number, retryAfterSeconds: number) =>
  takeDue<{ access_id: number; public_key: string }>(
    db,
    {
      table: 'warp_accounts',
      key: 'access_id',
      column: 'next_try_at',
      where: sql`registered_at is null`,
      leaseSeconds: retryAfterSeconds,
      limit: warpBatchSize,
      now,
    },
    ['access_id', 'public_key'],
  )

export const storeWarpRegistration = async (
  tx: Db,
  accessId: number,
  registration: WarpRegistration,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('warp_accounts')
    .set({
      addresses: [...registration.addresses],
      peer_public_key: registration.peerPublicKey,
      endpoint: registration.endpoint ?? usual.endpoint,
      reserved: [...registration.reserved],
      registered_at: now,
    })
    .where('access_id', '=', accessId)
    .execute()
}
