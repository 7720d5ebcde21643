import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { Resource } from '../../../lib/resource.ts'

export type ServerRow = DataOf<RowsFor<'operator'>['showServer']>

export interface ServerProps {
  readonly server: ServerRow
  readonly of: Resource<ServerRow>
}
