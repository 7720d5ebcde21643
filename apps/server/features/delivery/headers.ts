import type { Language } from '@sallyport/domain/delivery/language'
import { pagePolicy } from '@sallyport/domain/delivery/page/policy'
import type { Answer, Form } from './kept.ts'
import type { SubscriptionOwner } from './queries.ts'
import { hwidActive } from './refusal.ts'
import type { Settings } from './settings.ts'

/** The headers that client apps read. */

const userInfo = (owner: SubscriptionOwner): string =>
  `upload=${owner.upload}; download=${owner.download}; total=0; expire=${owner.expires_at ?? 0}`

/** As apps and the page call the subscription. */
export const titleOf = ({ title }: Pick<SubscriptionOwner, 'title'>, { brand }: Settings): string =>
  title ?? brand

export interface Told {
  readonly owner: SubscriptionOwner
  readonly settings: Settings
  readonly language: Language
  /** Of the subscription, where a browser gets its page. */
  readonly address: string
}

export const sharedHeaders = ({ owner, settings, language, address }: Told) => ({
  'referrer-policy': 'no-referrer',
  vary: 'user-agent, accept, accept-language, accept-encoding, x-hwid',
  'subscription-userinfo': userInfo(owner),
  'profile-title': `base64:${Buffer.from(titleOf(owner, settings)).toString('base64')}`,
  'profile-web-page-url': address,
  ...settings.headers[language],
})

/** Apps know the file by its ending; lists of links never had one. */
const fileName = (extension: string): string => (extension === 'txt' ? 'sallyport' : `sallyport.${extension}`)

type Headers = Readonly<Record<string, string>>

/** The headers of a form, and what they were made of. */
export interface ReadyHeaders {
  readonly told: Omit<Told, 'owner'> & {
    readonly owner: Pick<SubscriptionOwner, 'upload' | 'download' | 'expires_at' | 'title'>
  }
  readonly isLimited: boolean
  /** Of the answer that says that nothing has changed. */
  readonly unchanged: Headers
  readonly whole: Headers
}

const isLimited = (owner: SubscriptionOwner): boolean => owner.device_limit > 0 || owner.block_unknown_devices

/** The language is the answer's own, and so of all its forms. */
const isReadyFor = (ready: ReadyHeaders, { owner, settings, address }: Told): boolean => {
  const { owner: of } = ready.told
  return (
    of.download === owner.download &&
    of.upload === owner.upload &&
    of.expires_at === owner.expires_at &&
    of.title === owner.title &&
    ready.isLimited === isLimited(owner) &&
    ready.told.settings === settings &&
    ready.told.address === address
  )
}

/** Made once as long as nothing in them changes. */
export const deliveredHeaders = (told: Told, answer: Answer, form: Form): ReadyHeaders => {
  if (form.ready && isReadyFor(form.ready, told)) return form.ready
  const unchanged = {
    ...sharedHeaders(told),
    'content-disposition': `attachment; filename=${fileName(answer.fileExtension)}`,
    'cache-control': 'private, no-cache',
    ...(isLimited(told.owner) && hwidActive),
    etag: form.etag,
  }
  const { owner, settings, language, address } = told
  const { upload, download, expires_at, title } = owner
  form.ready = {
    told: { owner: { upload, download, expires_at, title }, settings, language, address },
    isLimited: isLimited(owner),
    unchanged,
    whole: {
      ...unchanged,
      ...(form.encoding && { 'content-encoding': form.encoding }),
      'content-type': answer.contentType,
    },
  }
  return form.ready
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
