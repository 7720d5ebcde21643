import type { CloudConfiguration } from '../../kit/catalogue/products.ts'

export interface OneProps {
  readonly row: CloudConfiguration
  readonly onSaved: (row: CloudConfiguration) => void
}
