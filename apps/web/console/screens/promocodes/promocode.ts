import type { api } from '../../api.ts'

export type Promocode = Awaited<ReturnType<typeof api.listIssuedPromocodes>>[number]
export type Product = Promocode['product_type']

export type PromocodeState = 'active' | 'used' | 'revoked' | 'expired'

export const stateOf = ({ is_active, used_at, revoked_at }: Promocode): PromocodeState => {
  if (used_at !== null) return 'used'
  if (revoked_at !== null) return 'revoked'
  return is_active ? 'active' : 'expired'
}

/** What was issued at once, as long as it can be shown. */
export interface Batch {
  readonly codes: readonly string[]
  readonly product_type: Product
  readonly days: number
  readonly expires_at?: number | null
}

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** For a table program; codes are letters, digits and hyphens, so that nothing in it has to be quoted. */
export const csvOf = ({ codes, product_type, days, expires_at }: Batch): string => {
  const rest = [product_type, days, expires_at ? new Date(expires_at * 1000).toISOString() : ''].join(',')
  const lines = ['code,product_type,days,expires_at', ...codes.map((code) => `${code},${rest}`)]
  return `\uFEFF${lines.map((line) => `${line}\r\n`).join('')}`
}

export const fileNameOf = ({ codes, days }: Batch, at: number): string =>
  `promocodes-${dayOf(at)}-${codes.length}x${days}.csv`
