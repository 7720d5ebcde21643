import { useSignal } from '@preact/signals'
import { Field, type Filled, Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import type { Access } from '../access.ts'
import {
  changedIn,
  type Parameter,
  parameters,
  parametersIn,
  ranges,
  type Trouble,
  troublesIn,
} from './parameters.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const rangeOf = (name: Parameter) => {
  const [least, most] = ranges[name]
  return { least: number(least), most: number(most) }
}

const textOf = ({ path, reason, other }: Trouble): string =>
  reason === 'outside' ? say('outside', rangeOf(path)) : say(reason, { other })

interface NumberProps {
  readonly name: Parameter
  readonly value: string
  readonly onInput: (value: string) => void
  /** What is wrong with it beside the others. */
  readonly trouble: string | undefined
}

const NumberField = ({ name, value, onInput, trouble }: NumberProps) => {
  const [least, most] = ranges[name]
  return (
    <div>
      <Field name={name} label={say(name)} hint={say('range', rangeOf(name))}>
        {(wiring) => (
          <input
            {...wiring}
            aria-invalid={wiring['aria-invalid'] || trouble !== undefined}
            type="number"
            inputMode="numeric"
            min={least}
            max={most}
            step={1}
            required
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )}
      </Field>
      {trouble !== undefined && (
        <p class="small bad" role="status">
          {trouble}
        </p>
      )}
    </div>
  )
}

const Fields = ({ access, before }: { readonly access: Access; readonly before: Filled }) => {
  const filled = useSignal(before)
  const troubles = troublesIn(filled.value)
  const changed = changedIn(filled.value, before)
  const send = async () => {
    await access.saveAwg?.(changed)
    tell(say('saved'))
  }
  return (
    <Form
      send={send}
      submit={say('save')}
      disabled={troubles.length > 0 || Object.keys(changed).length === 0}
    >
      <div class="pair">
        {parameters.map((name) => {
          const trouble = troubles.find(({ path }) => path === name)
          return (
            <NumberField
              key={name}
              name={name}
              value={filled.value[name] ?? ''}
              onInput={(value) => {
                filled.value = { ...filled.value, [name]: value }
              }}
              trouble={trouble && textOf(trouble)}
            />
          )
        })}
      </div>
      <p class="small">{say('rules')}</p>
      <p class="notice">{say('warning')}</p>
    </Form>
  )
}

/** How AmneziaWG disguises itself. Both sides must agree, so the file changes. */
export default function Awg({ access }: { readonly access: Access }) {
  const { awg_config: conf = '' } = access
  return (
    <>
      <p>{say('about')}</p>
      <Fields key={conf} access={access} before={parametersIn(conf)} />
    </>
  )
}
