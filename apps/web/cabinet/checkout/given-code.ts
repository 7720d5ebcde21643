import { normalisePromocode } from '@sallyport/domain/money/promocode'

/** An activation key that somebody came with. It is taken out of the address at once, and kept in this tab until it is used. */

/** What a link may tell of the key beside it: of what kind it is, and for how long. The service alone knows, when it is used. */
export interface GivenCode {
  readonly code: string
  readonly product?: string | undefined
  readonly days?: number | undefined
}

const name = 'sallyport:code'

/** As it was issued, from what a person typed; undefined where it cannot be one. */
export const readCode = (text: string): string | undefined => normalisePromocode(text)

/** #CODE, or #CODE/product/days. */
export const codeInHash = (hash: string): GivenCode | undefined => {
  const [text = '', product, days] = hash.replace(/^#/, '').split('/')
  let typed = text
  try {
    typed = decodeURIComponent(text)
  } catch {
    // Not written by a browser: read as it stands.
  }
  const code = readCode(typed)
  if (code === undefined) return undefined
  return {
    code,
    ...(product && { product }),
    ...(/^[1-9]\d{0,3}$/.test(days ?? '') && { days: Number(days) }),
  }
}

export const hashOf = ({ code, product, days }: GivenCode): string =>
  `#${[code, product, days].filter((part) => part !== undefined).join('/')}`

export const givenCode = (): GivenCode | undefined => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export const keepCode = (given: GivenCode | undefined): void => {
  try {
    if (given) sessionStorage.setItem(name, JSON.stringify(given))
    else sessionStorage.removeItem(name)
  } catch {
    // Storage may be refused: then it is typed again.
  }
}
