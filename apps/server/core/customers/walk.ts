import type { UserView } from '@sallyport/contract/operator/people/views'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Place, Source } from './sources.ts'
import { isInView, oneByOne } from './views.ts'

/**
 * Those of a source who are in a view. They are looked at in windows that grow while few are found, so that no statement looks at
 * more than some thousands, however rare they are.
 */

const smallestWindow = 100
const largestWindow = 5000
/** In one request. Whoever asks is told where to go on. */
const mostLookedAt = 40_000

export interface Walked {
  readonly ids: readonly number[]
  /** Where to go on; undefined at the end. */
  readonly next: Place | undefined
}

interface WindowRow extends Place {
  readonly is_found: boolean
  readonly looked_at: number
}

interface Window {
  readonly source: Source
  readonly view: UserView | undefined
  readonly after: Place | undefined
  readonly size: number
  readonly most: number
  readonly now: number
}

/** Those found in it, and where it ends; `isLast` when nobody comes after it. */
const lookThrough = async (db: Db, { source, view, after, size, most, now }: Window) => {
  const isWanted = view === undefined ? sql`true` : isInView(view, oneByOne, now)
  const { rows } = await sql<WindowRow>`
    with seen as materialized (
      select c.id, c.key, row_number() over () as at from (${source.rows(after, size)}) c)
    (select s.id, s.key, true as is_found, 0 as looked_at from seen s
     cross join lateral (select * from users where id = s.id offset 0) u
     where ${isWanted} and ${source.counts ?? sql`true`} order by s.at limit ${most})
    union all
    (select s.id, s.key, false, s.at from seen s order by s.at desc limit 1)`.execute(db)
  const found = rows.filter((row) => row.is_found)
  const end = rows.find((row) => !row.is_found)
  const isLast = end === undefined || (end.looked_at < size && source.counts === undefined)
  return { found, end, isLast }
}

const placeOf = ({ key, id }: Place): Place => ({ key, id })

/** As many as the rest of the page should take, judging by those looked at; a little more, since they are not spread evenly. */
const nextSize = (size: number, lookedAt: number, found: number, missing: number): number => {
  const wanted = found === 0 ? 4 * size : Math.ceil((1.25 * missing * lookedAt) / found)
  return Math.min(Math.max(smallestWindow, wanted), largestWindow)
}

export const walk = async (
  db: Db,
  source: Source,
  at: {
    readonly view: UserView | undefined
    readonly after: Place | undefined
    readonly limit: number
    readonly now: number
  },
): Promise<Walked> => {
  const { view, limit, now } = at
  const found: Place[] = []
  let { after } = at
  let size = view === undefined ? limit + 1 : Math.min(Math.max(smallestWindow, 2 * limit), largestWindow)
  for (let lookedAt = 0; lookedAt < mostLookedAt; ) {
    // One more than wanted shows that there is more.
    const most = limit + 1 - found.length
    const window = await lookThrough(db, { source, view, after, size, most, now })
    found.push(...window.found)
    if (found.length > limit) {
      const page = found.slice(0, limit)
      return { ids: page.map(({ id }) => id), next: placeOf(page.at(-1) as Place) }
    }
    if (window.isLast) return { ids: found.map(({ id }) => id), next: undefined }
    after = placeOf(window.end as Place)
    lookedAt += size
    size = nextSize(size, lookedAt, found.length, limit + 1 - found.length)
  }
  return { ids: found.map(({ id }) => id), next: after }
}
