/** Customers in the same position, as operators look at them and write to them. */
export const userViews = ['active', 'ending', 'ended', 'never_connected', 'blocked', 'paying'] as const
export type UserView = (typeof userViews)[number]
/** Everybody in these has something that ends, and can be sorted by when. */
export const viewsWithEnds: readonly (UserView | undefined)[] = ['active', 'ending', 'never_connected']

/** A minus is from the other end; newest is -id. */
export const userSorts = [
  'newest',
  'id',
  '-id',
  'created_at',
  '-created_at',
  'next_end',
  '-next_end',
  'balance',
  '-balance',
] as const
export type UserSort = (typeof userSorts)[number]
