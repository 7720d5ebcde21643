import { bracketed } from '../../vpn/endpoint.ts'

const plain = /^[\w.~-]*$/

/** Most values have nothing to encode, and seeing that takes a fraction of the time. */
export const encoded = (text: string): string => (plain.test(text) ? text : encodeURIComponent(text))

export type Parameter = readonly [name: string, value: string | null]

/** Parameters in the order given; those without a value are left out. */
export const queryOf = (parameters: readonly Parameter[]): string => {
  let query = ''
  for (const [name, value] of parameters) {
    if (value !== null) query += `${query && '&'}${name}=${encoded(value)}`
  }
  return query
}

export const authority = (at: { readonly host: string; readonly port: number }): string =>
  `${bracketed(at.host)}:${at.port}`
