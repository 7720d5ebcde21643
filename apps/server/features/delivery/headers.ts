import { pagePolicy } from '@sallyport/domain/delivery/page/policy'
import type { Answer } from './kept.ts'
import type { SubscriptionOwner } from './queries.ts'
import { hwidActive } from './refusal.ts'

/** The headers that client apps read. */

const updateIntervalHours = 12

const userInfo = (owner: SubscriptionOwner): string =>
  `upload=${owner.upload}; download=${owner.download}; total=0; expire=${owner.expires_at ?? 0}`

export const brand = 'Sallyport'

/** As apps and the page call the subscription. */
export const titleOf = ({ title }: Pick<SubscriptionOwner, 'title'>): string => title ?? brand

export const sharedHeaders = (owner: SubscriptionOwner, publicUrl: string) => ({
  'referrer-policy': 'no-referrer',
  vary: 'user-agent, accept, accept-language, accept-encoding, x-hwid',
  'subscription-userinfo': userInfo(owner),
  'profile-title': `base64:${Buffer.from(titleOf(owner)).toString('base64')}`,
  'profile-update-interval': updateIntervalHours,
  'profile-web-page-url': publicUrl,
})

/** Apps know the file by its ending; lists of links never had one. */
const fileName = (extension: string): string => (extension === 'txt' ? 'sallyport' : `sallyport.${extension}`)

export const deliveredHeaders = (owner: SubscriptionOwner, answer: Answer, publicUrl: string) => ({
  ...sharedHeaders(owner, publicUrl),
  'content-disposition': `attachment; filename=${fileName(answer.fileExtension)}`,
  'cache-control': 'private, no-cache',
  ...((owner.device_limit > 0 || owner.block_unknown_devices) && hwidActive),
})

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
