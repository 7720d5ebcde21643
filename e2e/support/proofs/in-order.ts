import { CompiledQuery } from 'kysely'
import { expect } from 'vitest'
import { brokenRules } from '../../../test/support/databases/invariants.ts'
import { startLater } from '../../../test/support/later.ts'
import type { Env } from '../process.ts'
import type { Shop } from '../shop.ts'
import type { StandInAgent } from '../stand-in-agent.ts'

/** Nobody here pays twice, too much or too little, so each of these would be an effect that nobody asked for. */
const neverHere = {
  'money that paid for nothing': `select id, verdict from receipts where verdict <> 'accepted'`,
  'failed refunds': `select id, failure from refunds where state = 'failed'`,
  alerts: 'select kind, subject, details from alerts',
}

/** Ten minutes later: everything begun is finished, all jobs have run, and every memory and every book agrees. */
export const expectAllInOrder = async (env: Env, shop: Shop, agent: StandInAgent): Promise<void> => {
  const running = await startLater(env)
  const { url, database, services } = running
  const query = async (sql: string) =>
    (await database.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
  try {
    await agent.beat(url)
    // Attempts at promocodes that a kill cut short stay counted for an hour, and a slow machine is killed at the same ones again and again.
    await query(`delete from security_counters where key like 'promocode:%'`)
    await shop.finish(url)
    let broken: string[] = []
    for (let round = 0; round < 10 && (round === 0 || broken.length > 0); round++) {
      await running.runJobs()
      broken = await brokenRules(query)
    }
    expect(broken).toEqual([])
    await shop.repeatLast(url)
    await running.runJobs()
    await shop.verify(url, { isAtRest: true, nowSeconds: () => services.clock.now() })
    expect(await brokenRules(query)).toEqual([])
    for (const [what, sql] of Object.entries(neverHere)) expect(await query(sql), what).toEqual([])
  } finally {
    await running.stop()
  }
}
