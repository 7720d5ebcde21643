import { LRUCache } from 'lru-cache'

/** Keeps so many, those that were asked for last. It grows with what is in it: room for all at once is most of the work of a start. */
export const leastRecentlyUsed = <K extends {}, V extends {}>(most: number): LRUCache<K, V> =>
  new LRUCache({ maxSize: most, sizeCalculation: () => 1 })
