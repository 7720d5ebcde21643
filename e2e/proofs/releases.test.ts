import { randomBytes, randomInt } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { usualFolder } from '../../apps/server/db/migrate.ts'
import { createTestDatabase, patiently } from '../../test/support/databases/database.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { postgresql } from '../../test/support/pieces.ts'
import { optionPriceRub, tariff } from '../support/deals.ts'
import { makePlace, type ServiceProcess } from '../support/process.ts'
import { expectAllInOrder } from '../support/proofs/in-order.ts'
import { fillByReleaseBefore, unpackReleaseBefore } from '../support/proofs/release-before.ts'
import { Shop } from '../support/shop.ts'
import { addSellingNodes, type StandInAgent } from '../support/stand-in-agent.ts'

const seed = randomInt(2 ** 31)
const timeout = 10 * 60_000

const migrationsIn = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  await client.end()
  return rows.map(({ name }) => name)
}

/** Everybody buys, pays, renews and withdraws at each of these, and finds what was answered at all of them. */
const trade = async (shop: Shop, agent: StandInAgent, services: readonly ServiceProcess[]): Promise<void> => {
  for (const service of services) {
    await agent.beat(service.url)
    shop.forgetLimits()
    await shop.bustle(service.url)
  }
  for (const service of services) {
    shop.forgetLimits()
    await shop.repeat(service.url)
    await shop.verify(service.url)
  }
}

describeWith(postgresql, 'two releases on one database', () => {
  test(`check 44: the release before on the new schema, the new one on what it left, and back again (seed ${seed})`, {
    timeout,
  }, async () => {
    const sources = await unpackReleaseBefore()
    onTestFinished(() => rmSync(sources, { recursive: true, force: true }))
    const { databaseUrl = '', remove } = await createTestDatabase('postgres')
    onTestFinished(remove)
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('drop schema public cascade; create schema public')
    await client.end()

    const secretKey = randomBytes(32).toString('base64')
    const operatorToken = await fillByReleaseBefore(sources, databaseUrl, secretKey)
    const known = readdirSync(join(sources, 'apps/server/db/migrations')).sort()
    expect(await migrationsIn(databaseUrl)).toEqual(known)
    const env = { DATABASE_URL: patiently(databaseUrl), SECRET_KEY: secretKey, SANDBOX_PAYMENTS: 'on' }
    const [before, after] = [await makePlace({ env, sources }), await makePlace({ env })]

    // The release before alone, on its own schema.
    let old = await before.start()
    const sold = { priceRub: optionPriceRub, days: tariff.days, seed }
    const agent = await addSellingNodes(old.url, operatorToken, sold)
    const shop = await Shop.open({ url: old.url, operatorToken, agent, seed }, 8)
    await trade(shop, agent, [old])

    // The new one comes up beside it, and migrates what is in use.
    const load = shop.bustle(old.url)
    const next = await after.start()
    await load
    const added = readdirSync(usualFolder).filter((name) => !known.includes(name))
    expect(added.length, 'migrations since the release before').toBeGreaterThan(0)
    expect(await migrationsIn(databaseUrl)).toEqual([...known, ...added].sort())
    await trade(shop, agent, [old, next, old, next])

    // Back to the release before, which starts on the new schema.
    expect(await old.terminate()).toEqual({ code: 0, signal: null })
    await trade(shop, agent, [next])
    expect(await next.terminate()).toEqual({ code: 0, signal: null })
    old = await before.start()
    await trade(shop, agent, [old])
    expect(await old.terminate()).toEqual({ code: 0, signal: null })

    await expectAllInOrder(after.env, shop, agent)
    expect(shop.refusals.map((answer) => answer.body)).toEqual([])
    console.log(`two releases: ${shop.summary}`)
  })
})
