import { connectionUrl } from '../render/link.ts'
import { placeholderLink } from '../render/placeholder.ts'
import type { Entry } from './entry.ts'
import { titleOf } from './titles.ts'

const linkOf = (entry: Entry): string => {
  const title = titleOf(entry)
  return entry.protocol === 'notice' ? placeholderLink(title) : connectionUrl({ ...entry, title })
}

/** One link a line. Every protocol has one; apps pass over those that they do not know. */
export const linkList = (entries: readonly Entry[]): string => entries.map(linkOf).join('\n')

export const base64List = (entries: readonly Entry[]): string =>
  Buffer.from(linkList(entries)).toString('base64')
