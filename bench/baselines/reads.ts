import pg from 'pg'
import { listAccesses } from '../../apps/server/core/vpn/access/reads.ts'
import { listLiveConfigs } from '../../apps/server/features/delivery/live-queries.ts'
import { ownersByHash } from '../../apps/server/features/delivery/queries.ts'
import { profileById } from '../../apps/server/features/profile/queries.ts'
import { statementOf } from '../statement.ts'

/** The product's own statements, run the plain way: named, through a `pg` pool of the same size. */

const int8 = 20
pg.types.setTypeParser(int8, Number)

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

const rowsOf = async (name: string, text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await pool.query({ name, text, values })).rows

/** JSON would spell bytes out as a list of numbers, which no service would do. */
const withText = (rows: Record<string, unknown>[], column: string): Record<string, unknown>[] => {
  for (const row of rows) row[column] = (row[column] as Buffer).toString('base64')
  return rows
}

const envelope = (data: unknown): string => JSON.stringify({ status: true, statusCode: 200, data })

const accessesOf = (userId: number, now: number) =>
  statementOf((db) => listAccesses(db, { userId, product: 'configs' }, { now, limit: 1000, offset: 0 }))
/** Where whose they are and the time stand among its values. */
const [userAt, nowAt] = [-1, -2]
const accessesPage = await accessesOf(userAt, nowAt)

const nowSeconds = () => Math.floor(Date.now() / 1000)

export const reads: Readonly<Record<'profile' | 'configs' | 'sub', (key: string) => Promise<string>>> = {
  profile: async (id) => {
    const rows = await rowsOf('profile', profileById.sql, [Number(id)])
    return envelope(withText(rows, 'subscription_key_sealed')[0])
  },
  configs: async (id) => {
    const now = nowSeconds()
    const values = accessesPage.parameters.map((value) => {
      if (value === userAt) return Number(id)
      return value === nowAt ? now : value
    })
    return envelope(withText(await rowsOf('configs', accessesPage.sql, values), 'credential_nonce'))
  },
  sub: async (keyHash) => {
    const now = [nowSeconds()]
    const keys = [Buffer.from(keyHash, 'hex')]
    const [owner] = await rowsOf('owner', ownersByHash.sql, [keys, [null], [null], now])
    const rows = await rowsOf('live', listLiveConfigs.sql, [[owner?.user_id], now, [false]])
    return envelope([owner, withText(rows, 'credential_nonce')])
  },
}
