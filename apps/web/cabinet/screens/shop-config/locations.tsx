import { type Signal, useSignal } from '@preact/signals'
import type { Client } from '@sallyport/contract/client/core'
import { Choice } from '../../../kit/choice.tsx'
import { sayIn } from '../../../lib/language.ts'
import { flagOf } from '../../vpn/protocols.ts'
import { placesOf, type Server } from './places.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Location = Awaited<ReturnType<Client['listLocations']>>[number]

/** More than this are shown on asking. */
const shownAtFirst = 6

interface LocationsProps {
  readonly locations: readonly Location[]
  readonly chosen: number
  readonly places: { readonly data: Signal<readonly Server[] | undefined> }
  readonly onChoose: (id: number) => void
}

/** Told of the chosen one; the delay to it would stand here too. */
const freeText = (free: number | undefined): string => {
  if (free === undefined) return say('counting')
  return free === 0 ? say('full') : say('free', { n: free })
}

export const Locations = ({ locations, chosen, places, onChoose }: LocationsProps) => {
  const isAll = useSignal(locations.length <= shownAtFirst + 2)
  const shown = isAll.value ? locations : locations.filter(({ id }, at) => at < shownAtFirst || id === chosen)
  return (
    <>
      <Choice
        legend={say('where')}
        value={chosen}
        onChoose={onChoose}
        options={shown.map(({ id, code, title, description }) => ({
          value: id,
          title: `${flagOf(code)} ${title}`,
          text:
            id === chosen ? (
              <>
                {description}
                <br />
                {freeText(placesOf(places.data.value))}
              </>
            ) : (
              description
            ),
        }))}
      />
      {!isAll.value && (
        <button
          type="button"
          onClick={() => {
            isAll.value = true
          }}
        >
          {say('allLocations', { n: locations.length })}
        </button>
      )}
    </>
  )
}
