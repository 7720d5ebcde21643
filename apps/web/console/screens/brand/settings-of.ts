import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { Resource } from '../../../lib/resource.ts'

export type Settings = DataOf<RowsFor<'operator'>['showCabinetSettings']>
export type Logo = DataOf<RowsFor<'operator'>['showCabinetLogo']>

export interface SettingsProps {
  readonly settings: Settings
  readonly of: Resource<Settings>
}

export const pictureOf = ({ type, image }: Logo): string | undefined =>
  type === null || image === null ? undefined : `data:${type};base64,${image}`
