import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import type { PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import type { UserConfig } from '@sallyport/contract/customer/shapes'

/** What a customer has for a time, whatever it is, and what follows from its end. */

export type State =
  | 'online'
  | 'offline'
  | 'partly'
  | 'unknown'
  | 'preparing'
  | 'limited'
  | 'disabled'
  | 'ended'

export interface Thing {
  readonly kind: 'config' | 'option' | 'cloud'
  readonly id: number
  readonly expiresAt: number
  /** Seconds that were paid for in all, where that is known. */
  readonly term: number | undefined
  readonly state: State
  readonly autoRenewal: boolean
  readonly autoRenewalDays: number | null
  /** What its name is made of. */
  readonly of:
    | { readonly config: UserConfig }
    | { readonly option: PaidOption }
    | { readonly cloud: CloudServer }
}

const day = 86_400

const renewal = ({
  auto_renewal,
  auto_renewal_days,
}: {
  auto_renewal: boolean
  auto_renewal_days: number | null
}) => ({ autoRenewal: auto_renewal, autoRenewalDays: auto_renewal_days })

export const ofConfig = (config: UserConfig, now: number): Thing => {
  const { id, expires_at: expiresAt, is_online: isOnline } = config
  const alive = isOnline === null ? 'unknown' : isOnline ? 'online' : 'offline'
  const state = expiresAt <= now ? 'ended' : alive
  const term = expiresAt - config.created_at
  return { kind: 'config', id, expiresAt, term, state, ...renewal(config), of: { config } }
}

const stateOfOption = ({ status, expires_at, configs }: PaidOption, now: number): State => {
  if (status === 'expired' || expires_at <= now) return 'ended'
  if (status !== 'active') return status
  const online = configs.filter((config) => config.is_online).length
  if (configs.length === 0) return 'unknown'
  return online === configs.length ? 'online' : online === 0 ? 'offline' : 'partly'
}

export const ofOption = (option: PaidOption, now: number): Thing => {
  const { option_id: id, expires_at: expiresAt, configs } = option
  const began = configs.length > 0 ? Math.min(...configs.map((config) => config.created_at)) : undefined
  const term = began === undefined ? undefined : expiresAt - began
  const state = stateOfOption(option, now)
  return { kind: 'option', id, expiresAt, term, state, ...renewal(option), of: { option } }
}

export const ofCloud = (cloud: CloudServer, now: number): Thing => {
  const { id, expires_at: expiresAt, status } = cloud
  const alive = status !== 'active' ? 'preparing' : cloud.is_online ? 'online' : 'offline'
  const state = expiresAt <= now ? 'ended' : alive
  return { kind: 'cloud', id, expiresAt, term: undefined, state, ...renewal(cloud), of: { cloud } }
}

/** What ends first stands first: what has ended already can be lost soonest. */
export const inOrder = (things: readonly Thing[]): Thing[] =>
  things.toSorted((a, b) => a.expiresAt - b.expiresAt || a.kind.localeCompare(b.kind) || a.id - b.id)

/** How long what has ended can be brought back. */
const graceDays = { config: 14, option: 14, cloud: 3 }

export const renewableUntil = ({ kind, expiresAt }: Pick<Thing, 'kind' | 'expiresAt'>): number =>
  expiresAt + graceDays[kind] * day

export interface Left {
  readonly unit: 'days' | 'hours' | 'minutes'
  readonly count: number
}

/** Whole ones, as people count: on the last day hours, in the last hour minutes. */
export const leftOf = (expiresAt: number, now: number): Left => {
  const seconds = Math.max(0, expiresAt - now)
  if (seconds >= day) return { unit: 'days', count: Math.floor(seconds / day) }
  if (seconds >= 3600) return { unit: 'hours', count: Math.floor(seconds / 3600) }
  return { unit: 'minutes', count: Math.ceil(seconds / 60) }
}

/** For the bar: of the last month, or of the whole term where that is shorter. */
export const partLeft = ({ expiresAt, term }: Pick<Thing, 'expiresAt' | 'term'>, now: number): number => {
  const whole = Math.min(30 * day, Math.max(day, term ?? 30 * day))
  return Math.min(1, Math.max(0, (expiresAt - now) / whole))
}

const soon = 3 * day

export const toneOf = (expiresAt: number, now: number): 'good' | 'warn' | 'bad' =>
  expiresAt - now < day ? 'bad' : expiresAt - now < soon ? 'warn' : 'good'
