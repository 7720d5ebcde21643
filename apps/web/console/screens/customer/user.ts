import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { Resource } from '../../../lib/resource.ts'

export type User = DataOf<RowsFor<'operator'>['showUser']>

export type Term = User['terms'][number]

export interface UserProps {
  readonly user: User
  /** To read it anew after a write. */
  readonly of: Resource<User>
}

export interface TermProps extends UserProps {
  readonly term: Term
}
