import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/support/databases/database.ts'
import { openDatabase } from '../../db/client.ts'
import { migrate } from '../../db/migrate.ts'

/** What options of an earlier release become. */

const migration = '0018_options.sql'

/** As the release before left it. */
const undo = `
  drop trigger accesses_added_index on accesses;
  drop function give_added_index;
  drop function next_added_index;
  alter table accesses drop column added_index;
  alter table option_terms drop column owed;
  delete from migrations where name = '${migration}';
  update paid_options set most_devices = 0, most_traffic = 0;
  update paid_options set device_limit = 5000 where id = 1;`

/** Somebody with the first option, and two configurations of their own on its first server. */
const customer = `
  with person as (
    insert into users (sign_in_method, referral_code, created_at) values ('otp', 'upgrade', 1) returning id
  ), sold as (
    insert into terms (user_id, product, product_id, item_id, expires_at, created_at)
    select id, 'paid_options', 1, 900, 2000000000, 1 from person returning id
  ), own as (
    insert into accesses (term_id, server_id, location_id, protocol, credential_nonce, position, created_at)
    select sold.id, s.id, s.location_id, 'vless', decode(repeat('00', 16), 'hex'), o.position, 1
    from sold cross join paid_option_servers o join servers s on s.id = o.server_id where o.option_id = 1
  )
  insert into accesses (term_id, server_id, location_id, protocol, credential_nonce, created_at)
  select sold.id, s.id, s.location_id, 'trojan', decode(repeat('00', 16), 'hex'), n
  from sold cross join generate_series(1, 2) n cross join paid_option_servers o join servers s on s.id = o.server_id
  where o.option_id = 1 and o.position = 0`

test('what was added keeps the index it was shown with, and limits become bounds', async ({
  onTestFinished,
}) => {
  const { databaseUrl, dataDir, remove } = await createTestDatabase(undefined, 'demo')
  onTestFinished(remove)
  const database = await openDatabase({ databaseUrl, dataDir })
  onTestFinished(database.close)
  const { db, engine } = database
  await engine.exec(undo)
  await engine.exec(customer)
  expect(await migrate(database)).toEqual([migration])
  const { rows: accesses } = await sql<{ position: number | null; added_index: number | null }>`
    select a.position, a.added_index from accesses a join terms t on t.id = a.term_id where t.item_id = 900
    order by a.position, a.id`.execute(db)
  expect(accesses.map((row) => row.position)).toEqual([0, 1, 2, null, null])
  expect(accesses.map((row) => row.added_index)).toEqual([null, null, null, 3, 4])
  const { rows: options } = await sql`
    select device_limit, most_devices, traffic_limit, most_traffic from paid_options order by id`.execute(db)
  expect(options).toEqual([
    { device_limit: 100, most_devices: 100, traffic_limit: 0, most_traffic: 0 },
    { device_limit: 3, most_devices: 3, traffic_limit: 500_000_000_000, most_traffic: 500_000_000_000 },
  ])
})
