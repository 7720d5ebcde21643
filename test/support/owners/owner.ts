import type { TestService } from '../service.ts'

export interface Owner {
  readonly token: string
  /** What else says who it is. */
  readonly headers?: Readonly<Record<string, string>>
  /** By the parameter's name, or by the part of the path before it too: `passkeys/:id`. */
  readonly ids: Readonly<Record<string, number | string>>
  /** What strangers must leave as it is. */
  readonly look?: () => Promise<unknown>
}

/** Everybody may have any paid option: two owners who must have nothing of each other's have different ones. */
export type OptionId = 1 | 2

export type MakeOwner = (service: TestService, optionId?: OptionId) => Promise<Owner>
