/** Thousands of customers who have what one of them has, made in the database: buying takes minutes. */

type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>

/** A row of a table with other values in it; `$` stands for the number of the copy. */
const copied = (table: string, where: string, change: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(change).flatMap(([column, value]) => [`'${column}'`, value])
  return `insert into ${table} overriding system value
    select (jsonb_populate_record(x, jsonb_build_object(${pairs.join(', ')}))).*
    from ${table} x, generate_series(1, :times) n where ${where}`
}

const first = 10_000_000

/** Each copy has an account, a subscription, and every configuration of the customer, with its order. */
export const multiply = async (
  query: Query,
  { userId, serverId, times }: { readonly userId: number; readonly serverId: number; readonly times: number },
): Promise<void> => {
  const copy = (table: string, where: string, change: Readonly<Record<string, string>>) =>
    query(copied(table, where, change).replace(':times', String(times)))
  const user = `${first} + n`
  await copy('users', `x.id = ${userId}`, {
    id: user,
    email: 'null',
    referral_code: "'copy' || n",
  })
  await copy('subscriptions', `x.user_id = ${userId}`, {
    id: user,
    user_id: user,
    key_hash: "'\\x' || encode(sha256(('copy' || n)::bytea), 'hex')",
  })
  const terms = await query(`select id, item_id from terms where user_id = ${userId} order by id`)
  for (const [at, { id, item_id: item }] of terms.entries()) {
    const number = `${first} + ${at} * 100000 + n`
    await copy('terms', `x.id = ${id}`, { id: number, user_id: user, item_id: number })
    await copy('orders', `x.product = 'configs' and x.item_id = ${item}`, {
      id: number,
      user_id: user,
      item_id: number,
      payment_method_id: 'null',
    })
    await copy('accesses', `x.id = ${item}`, {
      id: number,
      term_id: number,
      credential_nonce: "'\\x' || md5('copy' || n || x.id)",
      // Where the service takes none from.
      port: `case when x.port is null then null else 30000 + ${at} * 5000 + n end`,
      tunnel_host: 'case when x.tunnel_host is null then null else 1000 + n end',
    })
    await copy('meters', `x.access_id = ${item}`, { access_id: number, term_id: number })
    await query(`
      insert into node_ports (node_id, port, access_id)
      select s.node_id, a.port, a.id from accesses a join servers s on s.id = a.server_id
      where a.id between ${first} + ${at} * 100000 + 1 and ${first} + ${at} * 100000 + ${times} and a.port is not null`)
    await query(`
      with node as (
        update nodes set desired_revision = desired_revision + ${times}, last_tunnel_host = last_tunnel_host + 10000
        where id = (select node_id from servers where id = ${serverId}) returning id, desired_revision
      )
      insert into placements (node_id, access_id, server_id, revision, is_present)
      select node.id, ${number}, ${serverId}, node.desired_revision - ${times} + n, true
      from node, generate_series(1, ${times}) n`)
    await query(`update servers set used_slots = used_slots + ${times} where id = ${serverId}`)
  }
}
