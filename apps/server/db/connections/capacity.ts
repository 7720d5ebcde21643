import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Capacity } from '../driver.ts'
import type { PostgresOptions } from './options.ts'

/** By this PostgreSQL tells the connections of one instance from those of others; what works for a request has its id behind. */
export const nameOfInstance = `sallyport ${randomBytes(4).toString('hex')}`

/** Beside the pool and the lanes: the one that listens, and the one that asks whether the database is there. */
const listening = 1
const asking = 1

/** What an instance has open of PostgreSQL's own connections when it is busy. */
const connectionsOf = ({ pool, readLanes, directUrl }: PostgresOptions): number =>
  directUrl === undefined ? pool + readLanes + listening + asking : listening

const limits = `
  select (select count(distinct split_part(application_name, ' ', 2)) from pg_stat_activity
      where datname = current_database() and application_name like 'sallyport %'
        and application_name not like $1 || '%') as others,
    least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as available`

export const readCapacity = async (config: pg.ClientConfig, options: PostgresOptions): Promise<Capacity> => {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ others: number; available: number }>(limits, [nameOfInstance])
    const { others = 0, available = 0 } = rows[0] ?? {}
    return { perInstance: connectionsOf(options), instances: others + 1, available }
  } finally {
    await client.end().catch(() => undefined)
  }
}
