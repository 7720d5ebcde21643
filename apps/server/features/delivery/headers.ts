import { pagePolicy } from '@sallyport/domain/delivery/page/policy'
import type { Language } from '@sallyport/domain/text/language'
import { hwidActive } from './admission/refusal.ts'
import type { Answer, Form } from './cache/answers.ts'
import type { Settings } from './cache/settings.ts'
import type { SubscriptionOwner } from './queries.ts'

/** The headers that client apps read. */

/** As apps and the page call the subscription. */
export const titleOf = ({ title }: Pick<SubscriptionOwner, 'title'>, { brand }: Settings): string =>
  title ?? brand

export interface HeaderSource {
  readonly owner: SubscriptionOwner
  readonly settings: Settings
  readonly language: Language
  /** Of the subscription, where a browser gets its page. */
  readonly address: string
}

export const sharedHeaders = ({ owner: { texts }, settings, language, address }: HeaderSource) => ({
  'referrer-policy': 'no-referrer',
  vary: 'user-agent, accept, accept-language, accept-encoding, x-hwid',
  'subscription-userinfo': texts.userInfo,
  'profile-title': texts.title ?? settings.titleHeader,
  'profile-web-page-url': address,
  ...settings.headers[language],
})

/** Apps know the file by its ending; lists of links never had one. */
const fileName = (extension: string): string => (extension === 'txt' ? 'sallyport' : `sallyport.${extension}`)

export const deliveredHeaders = (
  told: HeaderSource,
  answer: Answer,
  { etag }: Form,
): Record<string, string> => {
  const { device_limit: limit, block_unknown_devices: isClosed } = told.owner
  const headers: Record<string, string> = sharedHeaders(told)
  headers['content-disposition'] = `attachment; filename=${fileName(answer.fileExtension)}`
  headers['cache-control'] = 'private, no-cache'
  if (limit > 0 || isClosed) Object.assign(headers, hwidActive)
  headers.etag = etag
  return headers
}

/**
 * Nobody but the visitor keeps a page, and it asks nobody else for anything. The next one comes on a connection of its own:
 * some networks let 16 KB of each through, and no more.
 */
export const pageHeaders = {
  connection: 'close',
  'content-security-policy': pagePolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
  vary: 'user-agent, accept, accept-language, accept-encoding',
}
