import { bracketed } from '../../vpn/endpoint.ts'

export const encoded = encodeURIComponent

export type Parameter = readonly [name: string, value: string | null]

/** Parameters in the order given; those without a value are left out. */
export const queryOf = (parameters: readonly Parameter[]): string =>
  parameters.flatMap(([name, value]) => (value === null ? [] : [`${name}=${encoded(value)}`])).join('&')

export const authority = (at: { readonly host: string; readonly port: number }): string =>
  `${bracketed(at.host)}:${at.port}`
