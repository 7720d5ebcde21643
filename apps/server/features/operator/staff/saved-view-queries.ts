import type { Db } from '../../../db/client.ts'

const columns = ['id', 'page', 'title', 'query', 'is_shared', 'operator_id', 'version', 'created_at'] as const

export interface ViewCaller {
  readonly operatorId: number
  readonly isOwner: boolean
}

/** One's own and those that are shared, of these pages. */
export const listViews = (db: Db, operatorId: number, pages: readonly string[]) =>
  db
    .selectFrom('saved_views')
    .select(columns)
    .where((eb) => eb.or([eb('operator_id', '=', operatorId), eb('is_shared', '=', true)]))
    .where('page', 'in', pages)
    .orderBy('title')
    .orderBy('id')
    .execute()

/** Whoever makes one waits for whoever is making another under the same name. */
export const countViews = async (tx: Db, operatorId: number): Promise<number> => {
  await tx.selectFrom('operators').select('id').where('id', '=', operatorId).forUpdate().execute()
  const { count } = await tx
    .selectFrom('saved_views')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('operator_id', '=', operatorId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

interface NewView {
  readonly operator_id: number
  readonly page: string
  readonly title: string
  readonly query: string
  readonly is_shared: boolean
  readonly created_at: number
}

export const insertView = (tx: Db, view: NewView) =>
  tx.insertInto('saved_views').values(view).returning(columns).executeTakeFirstOrThrow()

/** Undefined where there is none that this operator may change. */
export const lockView = (tx: Db, { operatorId, isOwner }: ViewCaller, id: number) =>
  tx
    .selectFrom('saved_views')
    .select(columns)
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('operator_id', '=', operatorId), eb.and([eb.lit(isOwner), eb('is_shared', '=', true)])]),
    )
    .forUpdate()
    .executeTakeFirst()

export type ViewRow = NonNullable<Awaited<ReturnType<typeof lockView>>>

export const updateView = (
  tx: Db,
  before: ViewRow,
  change: Partial<Pick<NewView, 'title' | 'query' | 'is_shared'>>,
) =>
  tx
    .updateTable('saved_views')
    .set({ title: before.title, ...change })
    .where('id', '=', before.id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export const deleteView = (tx: Db, id: number) => tx.deleteFrom('saved_views').where('id', '=', id).execute()
