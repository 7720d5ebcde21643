import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'

export type Drain = DataOf<RowsFor<'operator'>['showDrain']>
