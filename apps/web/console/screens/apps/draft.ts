import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { App } from '@sallyport/domain/delivery/apps/app'
import { catalogue } from '@sallyport/domain/delivery/apps/app-catalogue'
import { arrangeApps } from '@sallyport/domain/delivery/apps/arrange'

/** An arrangement that is being made, and what becomes of it. */

export type Apps = DataOf<RowsFor<'operator'>['showApps']>
export type Added = Apps['added'][number]
export type Row = Apps['apps'][number]

export interface Draft {
  /** All apps in their order. */
  readonly ids: readonly string[]
  readonly hidden: readonly string[]
  readonly added: readonly Added[]
}

/** Somebody was quicker. */
export interface Collision {
  readonly theirs: Apps
  readonly mine: Draft
}

export const draftOf = ({ apps, hidden, added }: Apps): Draft => ({
  ids: apps.map(({ id }) => id),
  hidden,
  added,
})

/** As it is without anybody's order. */
export const naturalIds = (added: readonly { readonly id: string }[]): string[] =>
  [...added, ...catalogue].map(({ id }) => id)

/** The fewest that have to be named first; the others follow by themselves, also those that a later release brings. */
export const leastOrder = (natural: readonly string[], wanted: readonly string[]): readonly string[] => {
  const isEnough = (first: readonly string[]): boolean => {
    const rest = natural.filter((id) => !first.includes(id))
    return [...first, ...rest].every((id, at) => id === wanted[at])
  }
  const count = wanted.findIndex((_, at) => isEnough(wanted.slice(0, at)))
  return count === -1 ? wanted : wanted.slice(0, count)
}

/** Some of them in another order; the rest stays where it was. */
export const withOrder = (ids: readonly string[], some: readonly string[]): readonly string[] => {
  const left = [...some]
  return ids.map((id) => (some.includes(id) ? (left.shift() ?? id) : id))
}

/** As the operation takes it. */
export const bodyOf = (draft: Draft, was: Apps) => {
  const { ids, hidden, added } = draft
  const isMoved = draftOf(was).ids.join() !== ids.join()
  return {
    order: [...(isMoved ? leastOrder(naturalIds(added), ids) : was.order)],
    hidden: [...hidden],
    added: [...added],
  }
}

export const isChanged = (draft: Draft, was: Apps): boolean =>
  draft.ids.join() !== draftOf(was).ids.join() ||
  draft.hidden.toSorted().join() !== was.hidden.toSorted().join()

const appOf = ({ import_template, checked_on, ...app }: Added): App => ({
  ...app,
  importTemplate: import_template,
  checkedOn: checked_on,
})

/** As customers would find them. */
export const appsOf = ({ ids, hidden, added }: Draft): readonly App[] =>
  arrangeApps(catalogue, { order: ids, hidden, added: added.map(appOf) }).apps
