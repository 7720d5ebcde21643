import type { Me } from '../frame/me.ts'

/** Whose tokens they are. */
export interface TokenOwner {
  readonly id: number
  readonly role: Me['role']
  /** Of whoever looks at them. */
  readonly isOwn: boolean
}
