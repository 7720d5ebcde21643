import type pg from 'pg'

/** Somebody and something to try the works with, in tables that are full. */
export interface Sample {
  readonly now: number
  readonly userId: number
  /** One of the customer's configurations; the first of the customer's bridges begins there, and it has a proxy. */
  readonly accessId: number
  readonly proxyId: number
  readonly termId: number
  /** As many as a job takes at once, of different customers. */
  readonly termIds: readonly number[]
  readonly accessIds: readonly number[]
  /** Where all of `carried` are. */
  readonly nodeId: number
  readonly serverId: number
  readonly carried: readonly number[]
  /** As many as a report may tell of. */
  readonly reported: readonly number[]
  readonly option: OptionSample
}

/** A customer's subscription to an option, with one of its accesses. */
export interface OptionSample {
  readonly userId: number
  readonly optionId: number
  readonly termId: number
  readonly accessId: number
}

const batch = 200
const inReport = 500
const inFullReport = 5000

const ids = async (client: pg.Client, sql: string, values: unknown[]): Promise<number[]> =>
  (await client.query(sql, values)).rows.map((row) => Number(row.id))

const takeOption = async (client: pg.Client): Promise<OptionSample> => {
  const { rows } = await client.query(`
    select t.user_id, t.product_id, t.id, a.id as access_id from terms t join accesses a on a.term_id = t.id
    where t.product = 'paid_options' and t.state = 'active' and a.position = 1 order by t.id limit 1 offset 100`)
  const [row] = rows
  return {
    userId: Number(row.user_id),
    optionId: Number(row.product_id),
    termId: Number(row.id),
    accessId: Number(row.access_id),
  }
}

export const takeSample = async (client: pg.Client): Promise<Sample> => {
  const { rows } = await client.query(`
    select t.user_id, a.id as access_id, p.id as proxy_id, t.id as term_id, s.node_id, s.id as server_id
    from bridges b join accesses a on a.id = b.entry_id join terms t on t.id = a.term_id
    join servers s on s.id = a.server_id join nodes n on n.id = s.node_id join accesses p on p.beside_id = a.id
    where t.state = 'active' and n.name like 'bench%'
      and not exists (select from withdrawals w where w.user_id = t.user_id and w.status = 'pending')
    order by b.id limit 1 offset 100`)
  const [row] = rows
  const nodeId = Number(row.node_id)
  const placed = 'select access_id as id from placements where node_id = $1 and is_present limit $2'
  const due = `from terms t join accesses a on a.term_id = t.id and a.id = t.item_id
    where t.state = 'active' and t.product = 'configs' and t.item_id % 1001 = 0 order by t.item_id limit $1`
  return {
    now: Math.floor(Date.now() / 1000),
    userId: Number(row.user_id),
    accessId: Number(row.access_id),
    proxyId: Number(row.proxy_id),
    termId: Number(row.term_id),
    termIds: await ids(client, `select t.id ${due}`, [batch]),
    accessIds: await ids(client, `select a.id ${due}`, [batch]),
    nodeId,
    serverId: Number(row.server_id),
    carried: await ids(client, placed, [nodeId, inReport]),
    reported: await ids(client, placed, [nodeId, inFullReport]),
    option: await takeOption(client),
  }
}
