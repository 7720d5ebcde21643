import { Field, Form } from '../../../../kit/form.tsx'
import { Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { sayIn } from '../../../../lib/language.ts'
import { useOptionUsage } from '../state.tsx'
import { toBytes, toGigabytes } from './gigabytes.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** How many devices and how much traffic, within what the service allows for this option. */
export default function Limits({ id }: { readonly id: number }) {
  const usage = useOptionUsage(id)
  return (
    <Shown of={usage}>
      {({ device_limit: devices, traffic_limit_bytes: traffic }) => (
        <Form
          key={`${devices}/${traffic}`}
          submit={say('save')}
          send={async (filled) => {
            const wanted = Number(filled.device_limit || 0)
            const bytes = toBytes(filled.traffic_limit)
            // Only what was changed: the service may not allow the other at all.
            const body = {
              ...(wanted !== (devices ?? 0) && { device_limit: wanted }),
              ...(filled.traffic_limit !== (traffic ? toGigabytes(traffic) : '') && { traffic_limit: bytes }),
            }
            if (Object.keys(body).length > 0) await api.changeOptionLimits({ params: { id }, body })
            await usage.reload()
            tell(say('saved'))
          }}
        >
          <p>{say('about')}</p>
          <Field name="device_limit" label={say('devices')} hint={say('devicesHint')}>
            {(wiring) => (
              <input
                {...wiring}
                type="number"
                inputMode="numeric"
                min={0}
                max={100}
                defaultValue={devices ?? ''}
              />
            )}
          </Field>
          <Field name="traffic_limit" label={say('traffic')} hint={say('trafficHint')}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                inputMode="decimal"
                pattern="\d{0,6}([.,]\d{1,2})?"
                title={say('trafficHint')}
                defaultValue={traffic ? toGigabytes(traffic) : ''}
              />
            )}
          </Field>
        </Form>
      )}
    </Shown>
  )
}
