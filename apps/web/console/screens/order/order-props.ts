import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { Resource } from '../../../lib/resource.ts'

export type OrderPage = DataOf<RowsFor<'operator'>['showOrder']>

export interface OrderProps {
  readonly order: OrderPage
  readonly of: Resource<OrderPage>
}
