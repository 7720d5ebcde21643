import type { ProxyProtocol } from '@sallyport/contract/shapes'
import type { Db } from '../../db/client.ts'

export const findProxy = (db: Db, configId: number) =>
  db.selectFrom('subconfigs').select('protocol').where('config_id', '=', configId).executeTakeFirst()

/** The configuration's Telegram proxy, if that is what it has, and the domain it was given. */
export const findMtproto = (db: Db, configId: number) =>
  db
    .selectFrom('subconfigs')
    .select('tls_domain')
    .where('config_id', '=', configId)
    .where('protocol', '=', 'mtproto')
    .executeTakeFirst()

export const insertProxy = async (
  tx: Db,
  proxy: {
    readonly configId: number
    readonly protocol: ProxyProtocol
    readonly tlsDomain: string | null
    readonly credentialNonce: Uint8Array
    readonly port: number
    readonly now: number
  },
): Promise<void> => {
  await tx
    .insertInto('subconfigs')
    .values({
      config_id: proxy.configId,
      protocol: proxy.protocol,
      tls_domain: proxy.tlsDomain,
      credential_nonce: proxy.credentialNonce,
      port: proxy.port,
      created_at: proxy.now,
    })
    .execute()
}

export const updateProxy = async (
  tx: Db,
  configId: number,
  change: {
    readonly protocol?: ProxyProtocol
    readonly port?: number
    readonly credential_nonce?: Uint8Array
  },
): Promise<void> => {
  await tx.updateTable('subconfigs').set(change).where('config_id', '=', configId).execute()
}

export const deleteProxy = async (tx: Db, configId: number): Promise<boolean> => {
  const deleted = await tx
    .deleteFrom('subconfigs')
    .where('config_id', '=', configId)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export const ownsConfig = async (db: Db, userId: number, configId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('configs')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', configId)
    .where('state', '<>', 'deleted')
    .executeTakeFirst()
  return row !== undefined
}
