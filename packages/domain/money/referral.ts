/** What a referrer earns from money that came from outside: whole roubles, never more than the percentage. */
export const commissionOf = (valueRub: number, percent: number): number =>
  Math.floor((valueRub * percent) / 100)

/** Enough to recognise a friend by, too little to write to: a•••@example.com. Nothing for nobody. */
export const maskEmail = (email: string | null): string | undefined => {
  if (email === null) return undefined
  const at = email.lastIndexOf('@')
  const [first = ''] = email.slice(0, Math.max(0, at))
  return `${first}•••${at < 0 ? '' : email.slice(at)}`
}

/** The last four digits of a number in the form +7 and ten digits: +7 *** ***-12-34. */
export const maskPhone = (phone: string): string => `+7 *** ***-${phone.slice(-4, -2)}-${phone.slice(-2)}`
