import type { api } from '../../api.ts'
import type { Option } from '../../kit/catalogue/products.ts'

export interface OptionProps {
  readonly option: Option
  readonly onSaved: (option: Option) => void
}

export type OptionBody = NonNullable<Parameters<typeof api.changeOption>[0]['body']>
