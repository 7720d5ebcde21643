import type { ConsolePath } from '@sallyport/domain/console/pages'
import { pathsOf } from '../lib/path.ts'

/** The address of a page. */
export const to = pathsOf<ConsolePath>()

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** With what stands behind the question mark; what is undefined or empty is left out. */
export const asking = (path: string, query: Query): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${path}?${search}` : path
}
