import type { Protocol } from '@sallyport/contract/shapes'
import type { Db } from '../../db/client.ts'

/** Options as the operator made them. */

export interface Option {
  readonly id: number
  readonly key: string
  readonly title_ru: string
  readonly title_en: string
  readonly caption_ru: string
  readonly caption_en: string
  readonly description_ru: string
  readonly description_en: string
  readonly protocol: Protocol
  readonly device_limit: number
  readonly traffic_limit: number
  readonly most_devices: number
  readonly most_traffic: number
  readonly is_active: boolean
  readonly revision: number
}

const options = (db: Db) =>
  db
    .selectFrom('paid_options')
    .select(['id', 'key', 'title_ru', 'title_en', 'caption_ru', 'caption_en', 'description_ru'])
    .select(['description_en', 'protocol', 'device_limit', 'traffic_limit', 'most_devices', 'most_traffic'])
    .select(['is_active', 'revision'])

export const findOption = async (db: Db, id: number): Promise<Option | undefined> =>
  (await options(db).where('id', '=', id).executeTakeFirst()) as Option | undefined

export const listOptions = async (db: Db): Promise<Option[]> =>
  (await options(db).orderBy('id').execute()) as Option[]

export interface OptionServer {
  readonly server_id: number
  readonly node_id: number
  readonly location_id: number
  readonly position: number
  /** Whether it takes anybody new. */
  readonly is_selling: boolean
  /** What it offers. */
  readonly protocols: readonly string[]
}

/** By their index. */
export const listServers = (db: Db, optionId: number): Promise<OptionServer[]> =>
  db
    .selectFrom('paid_option_servers as o')
    .innerJoin('servers as s', 's.id', 'o.server_id')
    .innerJoin('inbounds as i', 'i.server_id', 's.id')
    .select(['o.server_id', 's.node_id', 's.location_id', 'o.position'])
    .select((eb) => [
      eb('s.state', '=', 'selling').as('is_selling'),
      eb.fn.agg<string[]>('array_agg', ['i.protocol']).as('protocols'),
    ])
    .where('o.option_id', '=', optionId)
    .groupBy(['o.server_id', 's.node_id', 's.location_id', 's.state', 'o.position'])
    .orderBy('o.position')
    .execute() as Promise<OptionServer[]>

/** Those of these servers that somebody empties, or has emptied. */
export const listDrained = async (db: Db, serverIds: readonly number[]): Promise<ReadonlySet<number>> => {
  if (serverIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('server_drains')
    .select('server_id')
    .where('server_id', 'in', serverIds)
    .execute()
  return new Set(rows.map((row) => row.server_id))
}

/** Options that have this server. */
export const listOptionsWith = async (db: Db, serverId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('paid_option_servers')
    .select('option_id')
    .where('server_id', '=', serverId)
    .orderBy('option_id')
    .execute()
  return rows.map((row) => row.option_id)
}

/** In its position, so that its customers' configurations keep their index; they follow. */
export const replaceServer = async (tx: Db, optionId: number, from: number, to: number): Promise<void> => {
  await tx
    .updateTable('paid_option_servers')
    .set({ server_id: to })
    .where('option_id', '=', optionId)
    .where('server_id', '=', from)
    .execute()
  await tx
    .updateTable('paid_options')
    .set((eb) => ({ revision: eb('revision', '+', 1), version: eb('version', '+', 1) }))
    .where('id', '=', optionId)
    .execute()
}
