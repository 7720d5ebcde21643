import { Html } from '@sallyport/domain/delivery/html'

/** What the documents of web apps have in common. */

/** Within an element whose text ends at the first tag that looks like its own: no tag begins in here. */
export const jsonIn = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'))

/** Names of what was built change with what is in it. */
export const fileHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
}
