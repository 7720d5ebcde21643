import { badRequest } from '@sallyport/contract/errors'
import { decimalsOf } from '@sallyport/domain/money/money'
import { wholeUnits } from '@sallyport/domain/text/units'

/** An amount that an operator names, in the smallest units of its currency. */
export const unitsOf = (path: string, amount: number, currency: string): number => {
  const decimals = decimalsOf(currency)
  const units = wholeUnits(amount, decimals)
  if (units !== undefined) return units
  const problem = decimals === 0 ? 'must be a whole number' : `must have at most ${decimals} decimals`
  throw badRequest(path, `${problem} in ${currency}`)
}
