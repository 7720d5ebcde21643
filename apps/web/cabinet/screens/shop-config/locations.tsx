import type { Client } from '@sallyport/contract/client/core'
import { sayIn } from '../../../lib/language.ts'
import { Some } from '../../checkout/some.tsx'
import { useDelays } from '../../vpn/delays.ts'
import { AboutDelay, placeText, placeTitle } from '../../vpn/location.tsx'
import { placesOf, type Servers } from './asking.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Location = Awaited<ReturnType<Client['listLocations']>>[number]

/** More than this are shown on asking. */
const shownAtFirst = 6

/** One or two more are no reason for a button. */
export const firstOf = (locations: readonly Location[]): readonly Location[] =>
  locations.length <= shownAtFirst + 2 ? locations : locations.slice(0, shownAtFirst)

interface LocationsProps {
  readonly locations: readonly Location[]
  readonly chosen: Location
  readonly serversOf: (id: number) => Servers
  readonly onChoose: (id: number) => void
}

export const Locations = ({ locations, chosen, serversOf, onChoose }: LocationsProps) => {
  const delayOf = useDelays(locations.map(({ code }) => code))
  const first = firstOf(locations).map(({ id }) => id)
  const freeText = (id: number): string | undefined => {
    const servers = serversOf(id)
    const free = placesOf(servers)
    if (free !== undefined) return free === 0 ? say('full') : say('free', { n: free })
    // Of what nobody has chosen, nothing is said until it is known.
    if (id !== chosen.id) return undefined
    return say(servers === null ? 'unknown' : 'counting')
  }
  const isNear = (id: number) => locations.some((one) => one.id === id && delayOf(one.code).isNearest)
  return (
    <>
      <Some
        legend={say('where')}
        value={chosen.id}
        onChoose={onChoose}
        options={locations.map((one) => ({
          value: one.id,
          title: placeTitle(one, delayOf(one.code)),
          text: placeText(one, delayOf(one.code), freeText(one.id)),
        }))}
        isFirst={(id) => first.includes(id) || isNear(id)}
        more={say('allLocations', { n: locations.length })}
      />
      <AboutDelay
        isShown={locations.some(({ code }) => delayOf(code).ms !== undefined)}
        address={chosen.ping_ip}
      />
    </>
  )
}
