import { usePart } from '../../lib/part.ts'

/** About how long an answer takes from each country. It comes with its tables in a file of its own, which nothing waits for. */

export interface Delay {
  readonly ms: number | undefined
  readonly isNearest: boolean
}

/** A VPN that is on changes the address that sites see, and not the clock: this stays right. */
const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''

export const useDelays = (codes: readonly string[]): ((code: string) => Delay) => {
  const { module } = usePart(() => import('@sallyport/domain/vpn/delay/delay'))
  const nearest = module?.nearestCountry(zone(), codes)
  return (code) => ({ ms: module?.estimatedDelayMs(zone(), code), isNearest: code === nearest })
}
