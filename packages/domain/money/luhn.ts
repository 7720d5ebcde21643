/** Bank card numbers: how they are written, checked and shown. */

/** As people and cards write them, in groups, to digits alone; anything else stays and fails the check. */
export const normaliseCardNumber = (text: string): string => text.replaceAll(/[\s-]/g, '')

const luhnSum = (digits: string): number =>
  [...digits].reverse().reduce((sum, char, at) => {
    const digit = Number(char) * (at % 2 === 0 ? 1 : 2)
    return sum + (digit > 9 ? digit - 9 : digit)
  }, 0)

/** 13-19 digits that pass the Luhn check; one digit repeated passes it too at times, and is no card. */
export const isCardNumber = (digits: string): boolean =>
  /^[0-9]{13,19}$/.test(digits) && !/^(.)\1*$/.test(digits) && luhnSum(digits) % 10 === 0

const lastShown = 4
const mostOfBinShown = 6
/** Fewer hidden digits could be found by trying: the Luhn check rules out nine of ten. */
const leastHidden = 6

/** The bank's prefix and the last four digits, with at least six hidden between: 220015******1234. */
export const maskCard = (digits: string): string => {
  const binShown = Math.max(0, Math.min(mostOfBinShown, digits.length - lastShown - leastHidden))
  const hidden = '*'.repeat(Math.max(0, digits.length - binShown - lastShown))
  return digits.slice(0, binShown) + hidden + digits.slice(-lastShown)
}
