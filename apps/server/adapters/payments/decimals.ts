/** Amounts as providers write them, read exactly: a float would lose a kopeck somewhere. */

const shape = /^(\d{1,12})(?:\.(\d{1,18}))?$/

/** Whole smallest units; what is smaller than one of them is dropped. Undefined when it is not an amount. */
export const readDecimal = (text: unknown, decimals: number): number | undefined => {
  const match = typeof text === 'string' ? shape.exec(text) : null
  if (!match) return undefined
  const fraction = (match[2] ?? '').padEnd(decimals, '0').slice(0, decimals)
  const amount = Number(`${match[1]}${fraction}`)
  return Number.isSafeInteger(amount) ? amount : undefined
}

export const writeDecimal = (amount: number, decimals: number): string => {
  const digits = String(amount).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
