import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import type { Access, Wish } from '../access.ts'

/** What is wished for, until it is sent. */
export interface Draft {
  readonly protocol: Protocol
  readonly locationId: number | undefined
  /** Undefined: whichever is the freest. */
  readonly serverId: number | undefined
  readonly on: readonly SwitchName[]
}

export const draftOf = (access: Access): Draft => ({
  protocol: access.protocol as Protocol,
  locationId: access.locationId,
  serverId: access.server_id,
  on: access.options ?? [],
})

/** What is to be sent: of the switches those that differ, and a server only where another one is meant. */
export const wishOf = (draft: Draft, before: Draft): Wish => {
  const differs = [
    ...draft.on.filter((name) => !before.on.includes(name)).map((name) => [name, true] as const),
    ...before.on.filter((name) => !draft.on.includes(name)).map((name) => [name, false] as const),
  ]
  return {
    protocol: draft.protocol,
    locationId: draft.locationId,
    serverId: draft.serverId,
    switches: Object.fromEntries(differs),
  }
}

export const isSame = (draft: Draft, before: Draft): boolean =>
  draft.protocol === before.protocol &&
  draft.locationId === before.locationId &&
  draft.serverId === before.serverId &&
  Object.keys(wishOf(draft, before).switches).length === 0
