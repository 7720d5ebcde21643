import { useSignal } from '@preact/signals'
import { Switch } from '../../kit/choice.tsx'
import { Confirmed } from '../../kit/dialog.tsx'
import { Field, Form } from '../../kit/form.tsx'
import { Bar, Card } from '../../kit/look.tsx'
import { Problem } from '../../kit/problem.tsx'
import { Shown } from '../../kit/shown.tsx'
import { tell } from '../../kit/toast.tsx'
import { placesTaken } from './count.ts'
import { say } from './say.ts'
import type { DeviceSource, DeviceRules as Rules } from './source.ts'

/** How many there are of how many there may be. */
const Places = ({ source, most }: { readonly source: DeviceSource; readonly most: number }) => {
  const first = source.pageOf(1).data.value
  const taken = first && placesTaken(first)
  if (most === 0) return <p class="small">{say('unlimited')}</p>
  if (taken === undefined) return <p class="small">{say('takenOfMany', { n: most })}</p>
  return (
    <>
      <Bar
        part={taken / most}
        tone={taken < most ? 'good' : 'warn'}
        label={say('taken', { taken: String(taken), n: most })}
      />
      {taken > most && <p class="small">{say('overLimit')}</p>}
    </>
  )
}

const Limit = ({ source, rules }: { readonly source: DeviceSource; readonly rules: Rules }) => (
  <Form
    submit={say('save')}
    send={async ({ device_limit }) => {
      source.rules.set(await source.change({ device_limit: Number(device_limit) }))
      tell(say('saved'))
    }}
  >
    <Field name="device_limit" label={say('limit')} hint={say('limitHint')}>
      {(wiring) => (
        <input
          {...wiring}
          type="number"
          inputMode="numeric"
          required
          min={0}
          max={100}
          defaultValue={String(rules.device_limit)}
        />
      )}
    </Field>
  </Form>
)

const Unknown = ({ source, rules }: { readonly source: DeviceSource; readonly rules: Rules }) => {
  const wanted = useSignal<boolean | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const change = async (isOn: boolean) => {
    wanted.value = isOn
    error.value = undefined
    try {
      source.rules.set(await source.change({ block_unknown_devices: isOn }))
      tell(say('saved'))
    } catch (reason) {
      error.value = reason
    }
    wanted.value = undefined
  }
  return (
    <>
      <Switch
        label={say('blockUnknown')}
        hint={say('blockUnknownHint')}
        isOn={wanted.value ?? rules.block_unknown_devices}
        disabled={wanted.value !== undefined}
        onChange={change}
      />
      {error.value !== undefined && <Problem error={error.value} />}
    </>
  )
}

const RemoveAll = ({ source, rules }: { readonly source: DeviceSource; readonly rules: Rules }) => {
  return (
    <Confirmed
      title={say('removeAllTitle')}
      yes={say('removeAll')}
      run={async () => {
        await source.removeAll()
        await source.pageOf(1).reload()
        tell(say('nowRemoved'))
      }}
    >
      <p>{say(rules.block_unknown_devices ? 'removeAllUnknown' : 'removeAllText')}</p>
    </Confirmed>
  )
}

/** How many may fetch the link, and which. */
export const DeviceRules = ({ source }: { readonly source: DeviceSource }) => (
  <Card title={say('rules')}>
    <Shown of={source.rules}>
      {(rules) => (
        <>
          <Places source={source} most={rules.device_limit} />
          <Limit key={rules.device_limit} source={source} rules={rules} />
          <Unknown source={source} rules={rules} />
          {(source.pageOf(1).data.value?.total ?? 0) > 0 && <RemoveAll source={source} rules={rules} />}
        </>
      )}
    </Shown>
  </Card>
)
