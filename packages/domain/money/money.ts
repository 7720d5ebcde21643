/** Amounts are integers in the smallest unit used here; the API shows TON and USDT with two decimals. */

const decimals: Readonly<Record<string, number>> = { RUB: 0, XTR: 0, TON: 2, USDT: 2, USD: 2 }

/** Those without smaller units here. */
export const wholeCurrencies: readonly string[] = Object.keys(decimals).filter((name) => decimals[name] === 0)

export const isKnownCurrency = (currency: string): boolean => Object.hasOwn(decimals, currency)

export const decimalsOf = (currency: string): number => {
  const places = decimals[currency]
  if (places === undefined) throw new Error(`Unknown currency ${currency}`)
  return places
}

/** The number the API shows for an amount. */
export const shown = (amount: number, currency: string): number => amount / 10 ** decimalsOf(currency)
