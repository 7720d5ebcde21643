import { hash } from 'node:crypto'

/** A strong ETag: the same text, the same tag. */
export const etagOf = (text: string | Uint8Array): string =>
  `"${hash('sha256', text, 'base64url').slice(0, 27)}"`

/** Whether If-None-Match names the tag; proxies may send it weakened, or several at once. */
export const namesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch === etag ||
    ifNoneMatch.split(',').some((known) => {
      const tag = known.trim()
      return tag === '*' || tag.replace(/^W\//, '') === etag
    }))
