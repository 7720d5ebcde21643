import type { OptionSubscription } from '@sallyport/contract/customer/paid-options/shapes'
import { Field, type Filled, Form } from '../../../../kit/form.tsx'
import { Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { sayIn } from '../../../../lib/language.ts'
import { forgetRead } from '../../../../lib/resource.ts'
import { useOptionUsage } from '../state.tsx'
import { toBytes, toGigabytes } from './gigabytes.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Limited = Pick<OptionSubscription, 'device_limit' | 'traffic_limit_bytes'>

const shownTraffic = ({ traffic_limit_bytes: bytes }: Limited): string => (bytes ? toGigabytes(bytes) : '')

/** Only what was changed: the service may not allow the other at all. */
const changedIn = (filled: Filled, before: Limited) => {
  const devices = Number(filled.device_limit || 0)
  return {
    ...(devices !== (before.device_limit ?? 0) && { device_limit: devices }),
    ...(filled.traffic_limit !== shownTraffic(before) && { traffic_limit: toBytes(filled.traffic_limit) }),
  }
}

const Fields = ({ before }: { readonly before: Limited }) => (
  <>
    <p>{say('about')}</p>
    <Field name="device_limit" label={say('devices')} hint={say('devicesHint')}>
      {(wiring) => (
        <input
          {...wiring}
          type="number"
          inputMode="numeric"
          min={0}
          max={100}
          defaultValue={before.device_limit ?? ''}
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
          defaultValue={shownTraffic(before)}
        />
      )}
    </Field>
  </>
)

interface LimitsProps {
  readonly id: number
  /** Whether it works may have changed with them. */
  readonly onSaved: () => Promise<unknown>
}

/** How many devices and how much traffic, within what the service allows for this pack. */
export default function Limits({ id, onSaved }: LimitsProps) {
  const usage = useOptionUsage(id)
  return (
    <Shown of={usage}>
      {(before) => (
        <Form
          key={`${before.device_limit}/${before.traffic_limit_bytes}`}
          submit={say('save')}
          send={async (filled) => {
            const body = changedIn(filled, before)
            if (Object.keys(body).length > 0) await api.changeOptionLimits({ params: { id }, body })
            forgetRead('options/traffic')
            await Promise.all([usage.reload(), onSaved()])
            tell(say('saved'))
          }}
        >
          <Fields before={before} />
        </Form>
      )}
    </Shown>
  )
}
