import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import type { api } from '../../api.ts'
import { asking } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Broadcast = Awaited<ReturnType<typeof api.listBroadcasts>>[number]
export type View = NonNullable<Broadcast['view']>

export const views = [
  'everyone',
  'active',
  'ending',
  'ended',
  'never_connected',
  'blocked',
  'paying',
] as const satisfies readonly View[]

export const isView = (value: string | undefined): value is View =>
  (views as readonly (string | undefined)[]).includes(value)

/** What is to be sent, as the operation takes it. */
export interface Letter {
  readonly view?: View
  readonly search?: string
  readonly content_ru: string
  readonly content_en: string
  readonly send_at?: number
}

/** Whom it is for, and where those are listed. */
export const audienceOf = ({
  view,
  search,
}: Pick<Broadcast, 'view' | 'search'>): readonly [string, string] => {
  if (search !== null) return [say('found', { search }), asking('/console/customers', { search })]
  if (view === null || view === 'everyone') return [say('everyone'), '/console/customers']
  return [say(view), asking('/console/customers', { view })]
}

export const hasBegun = ({ send_at }: Pick<Broadcast, 'send_at'>): boolean => send_at <= now()

export const isWaiting = ({ state }: Broadcast): boolean => state === 'scheduled' || state === 'sending'
export const isGoing = (one: Broadcast): boolean => isWaiting(one) && hasBegun(one)
