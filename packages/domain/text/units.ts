/** The number as whole units of 10^-decimals; undefined when it has more decimals than that. */
export const wholeUnits = (value: number, decimals: number): number | undefined => {
  const scale = 10 ** decimals
  const units = Math.round(value * scale)
  // Division rounds correctly, so only a number that was written with so few decimals comes back the same.
  return Number.isSafeInteger(units) && units / scale === value ? units : undefined
}
