import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { Resource } from '../../../lib/resource.ts'

export type User = DataOf<RowsFor<'operator'>['showUser']>

export interface UserProps {
  readonly user: User
  /** To read it anew after a write. */
  readonly of: Resource<User>
}
