const groupsOf = (ip: string): string[] => {
  const [head = '', tail] = (ip.split('%')[0] as string).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}

const keyOf = (ip: string, bits: 48 | 64): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1] as string
  if (!ip.includes(':')) return ip
  return `${groupsOf(ip)
    .slice(0, bits / 16)
    .join(':')}::/${bits}`
}

/** IPv6 customers hold a whole /64, so they are counted by it. */
export const ipKey = (ip: string): string => keyOf(ip, 64)

/** Whoever guesses may have rented a whole /48, and a household that shares one guesses little. */
export const networkKey = (ip: string): string => keyOf(ip, 48)
