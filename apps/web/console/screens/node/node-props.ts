import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { Resource } from '../../../lib/resource.ts'

export type NodeRow = DataOf<RowsFor<'operator'>['showNode']>

export interface NodeProps {
  readonly node: NodeRow
  readonly of: Resource<NodeRow>
}
