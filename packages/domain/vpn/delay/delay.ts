import { countryPoint, type Point, zonePoint } from './places.ts'

/** How long an answer from another country takes, as far as a map tells. */

const earthRadiusKm = 6371
/** Light in glass goes so far in a millisecond; to an answer belongs the way there and back. */
const kmPerMs = 200
/** Cables go round seas and borders, and routers are not on the way. Chosen by pings between cities that were measured. */
const detour = 1.8
/** From a home to its provider's network. */
const lastMileMs = 8
const coarseFromMs = 100

const radians = (degrees: number): number => (degrees * Math.PI) / 180

export const kmBetween = ([latitudeA, longitudeA]: Point, [latitudeB, longitudeB]: Point): number => {
  const [a, b] = [radians(latitudeA), radians(latitudeB)]
  const half =
    Math.sin((b - a) / 2) ** 2 +
    Math.cos(a) * Math.cos(b) * Math.sin(radians(longitudeB - longitudeA) / 2) ** 2
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(half))
}

/** A figure that pretends to be exact would be taken for a measured one. */
const rounded = (ms: number): number => {
  const step = ms < coarseFromMs ? 5 : 10
  return Math.round(ms / step) * step
}

/** Undefined where the time zone or the country is none that we know. */
export const estimatedDelayMs = (zone: string, countryCode: string): number | undefined => {
  const from = zonePoint(zone)
  const to = countryPoint(countryCode)
  return from && to && rounded((2 * kmBetween(from, to) * detour) / kmPerMs + lastMileMs)
}

/** Which of them is the nearest; undefined where fewer than two are known, for then it says nothing. */
export const nearestCountry = (zone: string, codes: readonly string[]): string | undefined => {
  const from = zonePoint(zone)
  const known = [...new Set(codes)].flatMap((code) => {
    const at = countryPoint(code)
    return from && at ? [{ code, km: kmBetween(from, at) }] : []
  })
  const [nearest] = known.toSorted((a, b) => a.km - b.km)
  return known.length > 1 ? nearest?.code : undefined
}
