import { generateKeyPairSync } from 'node:crypto'
import type { Db } from '../../db/client.ts'
import type { WarpRegistration } from '../../ports/warp.ts'
import type { Vault } from '../kernel/vault.ts'
import { warpKeyContext } from './instances.ts'

/** WARP accounts: one a configuration, made when it first asks for it and kept when it moves. */

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
  configId: number,
): Promise<void> => {
  const key = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  await tx
    .insertInto('warp_accounts')
    .values({
      config_id: configId,
      private_key_sealed: vault.seal(base64(key.d), warpKeyContext),
      public_key: base64(key.x),
      addresses: usual.addresses,
      peer_public_key: usual.peerPublicKey,
      endpoint: usual.endpoint,
      registered_at: null,
      next_try_at: now,
      created_at: now,
    })
    .onConflict((oc) => oc.column('config_id').doNothing())
    .execute()
}

/** Accounts whose registration is due; the next try is put off first, so that rivals do not double it. */
export const takeDueWarpAccounts = (db: Db, now: number, retryAfterSeconds: number) =>
  db
    .updateTable('warp_accounts')
    .set({ next_try_at: now + retryAfterSeconds })
    .where('registered_at', 'is', null)
    .where('next_try_at', '<=', now)
    .returning(['config_id', 'public_key'])
    .execute()

export const storeWarpRegistration = async (
  tx: Db,
  configId: number,
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
    .where('config_id', '=', configId)
    .execute()
}
