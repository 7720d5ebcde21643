import { SallyportError } from '@sallyport/contract/client/core'
import { keepInTab, keptInTab } from '../../../lib/kept.ts'

/** The link that this tab was opened with. */

export interface HeldLink {
  readonly key: string
  /** Says that it is the same tab which asks again, when an answer was lost or the page was thrown away. */
  readonly attempt: string
  readonly isOpened: boolean
}

const name = 'one-time-link'

/** What messengers leave behind a link, such as a full stop, is none of it. */
export const keyIn = (hash: string): string | undefined => /^#([0-9A-Za-z]{20,64})/.exec(hash)?.[1]

const hold = (link: HeldLink): HeldLink => {
  keepInTab(name, link)
  return link
}

const newAttempt = (): string => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}-${Math.random()}`

/**
 * The address keeps the key until it is spent: whoever opens the page in another browser, as one does from inside a messenger, takes
 * it along. Afterwards it is of no use there.
 */
export const takeLink = (): HeldLink | undefined => {
  const held = keptInTab<HeldLink>(name)
  const key = keyIn(location.hash)
  if (key === undefined || key === held?.key) return held
  return hold({ key, attempt: newAttempt(), isOpened: false })
}

export const markOpened = (link: HeldLink): void => {
  hold({ ...link, isOpened: true })
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Why there is nothing to see; the time of a link that was opened is known. */
export type Ending = { readonly kind: 'gone' } | { readonly kind: 'used'; readonly at: number | undefined }

/** Undefined of what another try may mend. */
export const endingOf = (error: unknown): Ending | undefined => {
  if (!(error instanceof SallyportError)) return undefined
  if (error.is('NOT_FOUND')) return { kind: 'gone' }
  if (!error.is('CONFLICT')) return undefined
  const at = (error.data as { readonly used_at?: unknown } | undefined)?.used_at
  return { kind: 'used', at: typeof at === 'number' ? at : undefined }
}
