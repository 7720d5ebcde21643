import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { Resource } from '../../../lib/resource.ts'

export type Settings = DataOf<RowsFor<'operator'>['showDeliverySettings']>

export interface SettingsProps {
  readonly settings: Settings
  readonly of: Resource<Settings>
}
