import { Field, Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import type { Access } from '../access.ts'
import { changedIn, type Parameter, parameters, parametersIn, ranges } from './parameters.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface NumberProps {
  readonly name: Parameter
  readonly value: number | undefined
}

const NumberField = ({ name, value }: NumberProps) => {
  const [least, most] = ranges[name]
  const range = say('range', { least: number(least), most: number(most) })
  return (
    <Field name={name} label={say(name)} hint={range}>
      {(wiring) => (
        <input
          {...wiring}
          type="number"
          inputMode="numeric"
          min={least}
          max={most}
          step={1}
          defaultValue={value}
        />
      )}
    </Field>
  )
}

/** How AmneziaWG disguises itself. Both sides must agree, so the file changes. */
export default function Awg({ access }: { readonly access: Access }) {
  const before = parametersIn(access.awg_config ?? '')
  const send = async (filled: Readonly<Record<string, string>>) => {
    const changed = changedIn(filled, before)
    if (Object.keys(changed).length === 0) {
      tell(say('same'))
      return
    }
    await access.saveAwg?.(changed)
    tell(say('saved'))
  }
  return (
    <>
      <p>{say('about')}</p>
      <Form key={access.awg_config} send={send} submit={say('save')}>
        <div class="pair">
          {parameters.map((name) => (
            <NumberField key={name} name={name} value={before[name]} />
          ))}
        </div>
        <p class="small">{say('rules')}</p>
        <p class="notice">{say('warning')}</p>
      </Form>
    </>
  )
}
