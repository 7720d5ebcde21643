import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { Option } from '../../kit/catalogue/products.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf, Values } from '../../kit/forms/fields.tsx'
import { protocolField, wordFields } from '../options/fields.ts'
import type { OptionBody, OptionProps } from './option-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What is written in one card stays while another is saved: it begins anew only where its own fields are others. */
const keyOf = (fields: readonly FieldOf[], row: Option): string =>
  JSON.stringify(fields.map(({ name }) => (row as unknown as Values)[name]))

export const About = ({ option, onSaved }: OptionProps) =>
  may('changeOption') ? (
    <Card title={say('words')}>
      <Edit
        key={keyOf(wordFields, option)}
        row={option}
        fields={wordFields}
        send={(body) => api.changeOption({ params: { id: option.id }, body: body as OptionBody })}
        onSaved={onSaved}
      />
    </Card>
  ) : null

const gigabyte = 1_000_000_000

const limitFields: readonly FieldOf[] = [
  protocolField,
  { name: 'device_limit', label: say('devices'), hint: say('devicesHint'), kind: 'number', isRequired: true },
  {
    name: 'most_devices',
    label: say('mostDevices'),
    hint: say('mostDevicesHint'),
    kind: 'number',
    isRequired: true,
  },
  {
    name: 'traffic_limit',
    label: say('traffic'),
    hint: say('trafficHint'),
    kind: 'number',
    isRequired: true,
  },
  {
    name: 'most_traffic',
    label: say('mostTraffic'),
    hint: say('mostTrafficHint'),
    kind: 'number',
    isRequired: true,
  },
]

/** People count traffic in gigabytes. */
const inGigabytes = (option: Option): Values => ({
  ...option,
  traffic_limit: option.traffic_limit / gigabyte,
  most_traffic: option.most_traffic / gigabyte,
})

const inBytes = (changes: Readonly<Record<string, unknown>>): OptionBody =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      name.endsWith('_traffic') || name.startsWith('traffic_') ? Math.round(Number(value) * gigabyte) : value,
    ]),
  ) as OptionBody

const told = (limit: number): string => (limit === 0 ? say('anything') : number(limit))

const LimitFacts = ({ option }: Pick<OptionProps, 'option'>) => (
  <Facts
    rows={[
      [say('protocol'), option.protocol],
      [say('devices'), told(option.device_limit)],
      [say('mostDevices'), told(option.most_devices)],
      [say('traffic'), told(option.traffic_limit / gigabyte)],
      [say('mostTraffic'), told(option.most_traffic / gigabyte)],
    ]}
  />
)

export const Limits = ({ option, onSaved }: OptionProps) => (
  <Card title={say('limits')}>
    {may('changeOption') ? (
      <Edit
        key={keyOf(limitFields, option)}
        row={option}
        fields={limitFields}
        view={inGigabytes}
        send={(body) => api.changeOption({ params: { id: option.id }, body: inBytes(body) })}
        onSaved={onSaved}
      />
    ) : (
      <LimitFacts option={option} />
    )}
  </Card>
)
