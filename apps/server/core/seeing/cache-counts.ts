/** How often a cache had what was asked for. */
export interface CacheCount {
  hits: number
  misses: number
}

const cacheNames = ['credentials', 'subscription_owners', 'subscription_answers'] as const
export type CacheName = (typeof cacheNames)[number]
export type CacheCounts = Readonly<Record<CacheName, CacheCount>>

export const countCaches = (): CacheCounts => ({
  credentials: { hits: 0, misses: 0 },
  subscription_owners: { hits: 0, misses: 0 },
  subscription_answers: { hits: 0, misses: 0 },
})
