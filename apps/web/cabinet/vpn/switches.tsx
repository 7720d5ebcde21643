import { useSignal } from '@preact/signals'
import type { SwitchName } from '@sallyport/contract/shapes'
import { Switch } from '../../kit/choice.tsx'
import { tell } from '../../kit/toast.tsx'
import { sayIn } from '../../lib/language.ts'
import { words } from './switch-words.en.ts'
import { obstacleOf, type Place, type Switched, switched, switches } from './switches.ts'

const say = sayIn(words)

const namesOf = (names: readonly SwitchName[]): string => names.map((name) => say(name)).join(', ')

/** After another protocol or location was chosen. */
export const tellDropped = (dropped: readonly SwitchName[]): void => {
  if (dropped.length > 0) tell(say('droppedHere', { names: namesOf(dropped) }))
}

const reasonOf = (name: SwitchName, isOn: boolean, { added, dropped }: Switched): string =>
  [
    added.length > 0 && say('added', { names: namesOf(added), name: say(name) }),
    dropped.length > 0 &&
      say(isOn ? 'dropped' : 'droppedWithout', { names: namesOf(dropped), name: say(name) }),
  ]
    .filter(Boolean)
    .join(' ')

interface SwitchesProps {
  readonly place: Place
  readonly on: readonly SwitchName[]
  readonly onChange: (on: readonly SwitchName[]) => void
}

/** The options of a configuration. What does not go together switches itself off and says why. */
export const Switches = ({ place, on, onChange }: SwitchesProps) => {
  const told = useSignal<{ readonly name: SwitchName; readonly text: string } | undefined>(undefined)
  const press = (name: SwitchName, isOn: boolean) => {
    const after = switched(place, on, name, isOn)
    if (!after) return
    const text = reasonOf(name, isOn, after)
    told.value = text ? { name, text } : undefined
    onChange(after.on)
  }
  return (
    <>
      {/* For those who listen; beneath the switch it stands for the eyes. */}
      <p class="hidden" role="status">
        {told.value?.text}
      </p>
      {switches.map((name) => {
        const obstacle = obstacleOf(place, name)
        return (
          <div key={name}>
            <Switch
              label={say(name)}
              hint={
                obstacle ? say(obstacle === 'protocol' ? 'notProtocol' : 'notLocation') : say(`${name}_text`)
              }
              isOn={on.includes(name)}
              disabled={obstacle !== undefined}
              onChange={(isOn) => press(name, isOn)}
            />
            {told.value?.name === name && <p class="notice">{told.value.text}</p>}
          </div>
        )
      })}
    </>
  )
}
