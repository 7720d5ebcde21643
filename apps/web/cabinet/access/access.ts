import type { ServerStats } from '@sallyport/contract/customer/shapes'
import type { Protocol, ProxyProtocol, SwitchName } from '@sallyport/contract/shapes'

/** Everything one can do to an access, whatever it belongs to. What an owner does not offer is left out. */

export type AccessKind = 'config' | 'paid_option' | 'cloud'

/** How it is reached. */
export interface Reached {
  readonly connection_url: string
  readonly server_id?: number
  readonly xray_config?: string
  readonly awg_config?: string
  readonly options?: readonly SwitchName[]
}

export interface Wish {
  readonly protocol: Protocol
  readonly locationId: number | undefined
  readonly serverId: number | undefined
  /** Those that differ from what is on now. */
  readonly switches: Readonly<Partial<Record<SwitchName, boolean>>>
}

export interface ShownProxy {
  readonly id: number
  readonly protocol: ProxyProtocol
  readonly connection_url: string
  readonly tls_domain?: string
}

/** With room for it. */
export interface Server {
  readonly id: number
  readonly available_slots: number
}

export interface ProxyCalls {
  /** Null where there is none. */
  show(): Promise<ShownProxy | null>
  create(protocol: ProxyProtocol, tlsDomain: string | undefined): Promise<ShownProxy>
  change(protocol: ProxyProtocol): Promise<ShownProxy>
  remove(): Promise<unknown>
  /** Whether a Telegram proxy may hide behind a site of one's choice. */
  readonly hasDomain: boolean
}

export interface Access extends Reached {
  readonly kind: AccessKind
  readonly id: number
  readonly title: string | null
  /** What it is called where it has no title of the customer's. */
  readonly usualName: string
  readonly protocol: Protocol | 'mtproto'
  readonly isExtended: boolean
  readonly locationId: number | undefined
  /** chosen: moves between locations; fixed: could, but not this one. */
  readonly place: 'chosen' | 'fixed' | 'none'
  /** After what changes more than it answers. */
  reload(): Promise<void>
  rename(title: string | null): Promise<unknown>
  resetCredentials(): Promise<unknown>
  readonly change?: (wish: Wish) => Promise<unknown>
  readonly servers?: (locationId: number | undefined, protocol: Protocol) => Promise<readonly Server[]>
  readonly saveXray?: (text: string, publicKey: string | null) => Promise<unknown>
  readonly resetXray?: () => Promise<unknown>
  readonly saveAwg?: (parameters: Readonly<Record<string, number>>) => Promise<unknown>
  readonly stats?: () => Promise<ServerStats>
  readonly proxy?: ProxyCalls
}

/** Holds what was read of one. */
export interface Keeper<T> {
  /** Shows what came of a change. */
  set(config: T): void
  reload(): Promise<void>
}

export const nameOf = ({ title, usualName }: Pick<Access, 'title' | 'usualName'>): string =>
  title ?? usualName

/** What was answered stands in place of what was there; what it does not name is gone. */
export const reachedAnew = <T extends Reached>(before: T, answer: Reached): T => {
  const { xray_config: _xray, awg_config: _awg, ...rest } = before
  return { ...rest, ...answer } as T
}

/** The same after a change of settings, which answers with all options that are on. */
export const settledAnew = <T extends Reached>(before: T, answer: Reached): T => {
  const { options: _options, ...rest } = before
  return {
    ...reachedAnew(rest as T, answer),
    is_extended_settings_enabled: answer.options?.includes('use_extended_settings') ?? false,
  }
}
