import { isIP } from 'node:net'

/** Why this is no network of the form 192.0.2.0/24; undefined when it is one. */
export const networkProblem = (text: string): string | undefined => {
  const [address = '', length = '', ...rest] = text.split('/')
  const longest = { 4: 32, 6: 128 }[isIP(address)]
  const isOne =
    longest !== undefined &&
    rest.length === 0 &&
    !address.includes('%') &&
    /^(0|[1-9]\d{0,2})$/.test(length) &&
    Number(length) <= longest
  return isOne ? undefined : 'must be a network like 192.0.2.0/24 or 2001:db8::/32'
}
