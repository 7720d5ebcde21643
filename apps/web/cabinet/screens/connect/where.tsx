import { type Platform, platforms } from '@sallyport/domain/delivery/apps/app'
import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** No app is installed on a router. */
export type Place = Platform | 'router'

const places: readonly Place[] = [...platforms, 'router']

interface WhereProps {
  readonly own: Platform | undefined
  readonly place: Place | undefined
  readonly onChoose: (place: Place) => void
}

export const Where = ({ own, place, onChoose }: WhereProps) => (
  <div class="field">
    <label for="platform">{say('where')}</label>
    <select
      id="platform"
      value={place ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value as Place)}
    >
      {place === undefined && <option value="">{say('choose')}</option>}
      {places.map((one) => (
        <option key={one} value={one}>
          {one === own ? say('isThis', { name: say(one) }) : say(one)}
        </option>
      ))}
    </select>
  </div>
)
