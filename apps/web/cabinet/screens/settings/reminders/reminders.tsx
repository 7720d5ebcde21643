import { useSignal } from '@preact/signals'
import { Switch } from '../../../../kit/choice.tsx'
import { Field, type Filled, Form } from '../../../../kit/form.tsx'
import { Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { useResource } from '../../../../lib/resource.ts'
import { say } from './say.ts'
import { ownZone, zoneText } from './zone.ts'

type Settings = Awaited<ReturnType<typeof api.showNotificationSettings>>

const hours = Array.from({ length: 24 }, (_, hour) => hour)

interface HourProps {
  readonly name: string
  readonly label: string
  readonly hour: number
  readonly hint?: string
}

const Hour = ({ name, label, hour, hint }: HourProps) => (
  <Field name={name} label={label} hint={hint}>
    {(wiring) => (
      <select {...wiring}>
        {hours.map((one) => (
          <option key={one} value={one} selected={one === hour}>
            {one}:00
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface EditorProps {
  readonly settings: Settings
  readonly onSaved: (settings: Settings) => void
}

const Editor = ({ settings, onSaved }: EditorProps) => {
  const isOn = useSignal(settings.renewal_reminders)
  const zone = useSignal(settings.timezone_offset)
  const own = ownZone()
  const send = async (filled: Filled) => {
    const body = {
      renewal_reminders: isOn.value,
      notification_start_hour: Number(filled.notification_start_hour),
      notification_end_hour: Number(filled.notification_end_hour),
      timezone_offset: zone.value,
    }
    onSaved(await api.changeNotificationSettings({ body }))
    tell(say('saved'))
  }
  return (
    <Form submit={say('save')} send={send}>
      <Switch
        label={say('renewal')}
        hint={say('renewalHint')}
        isOn={isOn.value}
        onChange={(value) => {
          isOn.value = value
        }}
      />
      <div class="hours">
        <Hour name="notification_start_hour" label={say('from')} hour={settings.notification_start_hour} />
        <Hour name="notification_end_hour" label={say('until')} hour={settings.notification_end_hour} />
      </div>
      <p class="small">{say('hoursHint')}</p>
      <p>{say('zone', { zone: zoneText(zone.value) })}</p>
      <p>
        {zone.value !== own && (
          <button
            type="button"
            class="link"
            onClick={() => {
              zone.value = own
            }}
          >
            {say('takeZone', { zone: zoneText(own) })}
          </button>
        )}
        {zone.value !== settings.timezone_offset && <span class="small">{say('takenZone')}</span>}
      </p>
    </Form>
  )
}

export const Reminders = () => {
  const settings = useResource('notification-settings', () => api.showNotificationSettings())
  return (
    <Shown of={settings}>
      {(shown) => <Editor settings={shown} onSaved={(saved) => settings.set(saved)} />}
    </Shown>
  )
}
