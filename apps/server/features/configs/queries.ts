import type { Protocol } from '@sallyport/contract/shapes'
import type { ConfigOnServer } from '../../core/endpoints.ts'
import { onlineWithinSeconds } from '../../core/servers.ts'
import { type Db, prepared } from '../../db/client.ts'

export interface ConfigRow extends ConfigOnServer {
  readonly protocol: Protocol
  readonly location_id: number
  readonly server_id: number
  readonly expires_at: number
  readonly created_at: number
  readonly flags: string[]
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
  readonly is_online: boolean
}

const columns = `
  c.id, c.title, c.protocol, c.options, c.credential_nonce, c.location_id, c.server_id, c.expires_at, c.created_at,
  c.flags, c.auto_renewal, c.auto_renewal_days, l.code as location_code, l.title_ru as location_title,
  n.address, i.port, i.settings, coalesce(st.last_seen_at >= $2, false) as is_online
  from configs c
  join inbounds i on i.server_id = c.server_id and i.protocol = c.protocol
  join nodes n on n.id = i.node_id
  join node_status st on st.node_id = i.node_id
  join locations l on l.id = c.location_id`

export const configsPage = prepared<[number, number, number, number], ConfigRow>(
  `select ${columns} where c.user_id = $1 and c.state <> 'deleted' order by c.id limit $3 offset $4`,
)

const one = prepared<[number, number, number], ConfigRow>(
  `select ${columns} where c.user_id = $1 and c.id = $3 and c.state <> 'deleted'`,
)

export const listConfigs = (db: Db, userId: number, now: number, limit: number, offset: number) =>
  configsPage(db, userId, now - onlineWithinSeconds, limit, offset)

export const findConfig = async (
  db: Db,
  userId: number,
  now: number,
  id: number,
): Promise<ConfigRow | undefined> => (await one(db, userId, now - onlineWithinSeconds, id))[0]

export interface NewConfig {
  readonly userId: number
  readonly serverId: number
  readonly locationId: number
  readonly protocol: string
  readonly options: readonly string[]
  readonly credentialNonce: Uint8Array
  readonly autoRenewalDays: number | null
  readonly expiresAt: number
  readonly now: number
}

export const insertConfig = async (tx: Db, config: NewConfig): Promise<number> => {
  const { id } = await tx
    .insertInto('configs')
    .values({
      user_id: config.userId,
      server_id: config.serverId,
      location_id: config.locationId,
      protocol: config.protocol,
      options: [...config.options],
      title: null,
      credential_nonce: config.credentialNonce,
      auto_renewal: config.autoRenewalDays !== null,
      auto_renewal_days: config.autoRenewalDays,
      expires_at: config.expiresAt,
      created_at: config.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
