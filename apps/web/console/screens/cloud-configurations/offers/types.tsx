import type { ComponentChildren } from 'preact'
import { Field } from '../../../../kit/form.tsx'
import { Shown } from '../../../../kit/shown.tsx'
import { number } from '../../../../lib/format.ts'
import { sayIn } from '../../../../lib/language.ts'
import { useResource } from '../../../../lib/resource.ts'
import { api } from '../../../api.ts'
import { words } from '../words.en.ts'
import type { Offer } from './offer.ts'

const say = sayIn(words)

type MachineType = Awaited<ReturnType<typeof api.listMachineTypes>>[number]

const valueFor = (region: string, type: string): string => `${region}/${type}`

/** What was chosen, taken apart again. */
export const placeIn = (value: string): { readonly region: string; readonly machine_type: string } => {
  const [region = '', ...type] = value.split('/')
  return { region, machine_type: type.join('/') }
}

const told = ({
  title,
  cores,
  memory_mb,
  disk_gb,
  monthly_cost,
  currency,
  is_in_stock,
}: MachineType): string =>
  say(is_in_stock ? 'type' : 'typeOut', {
    title,
    cores,
    memory: number(memory_mb / 1024),
    disk: number(disk_gb),
    cost: `${number(monthly_cost)} ${currency}`,
  })

const Options = ({ types }: { readonly types: readonly MachineType[] }): ComponentChildren =>
  [...new Set(types.map(({ region }) => region))].map((region) => (
    <optgroup key={region} label={region}>
      {types
        .filter((type) => type.region === region)
        .map((type) => (
          <option key={type.type} value={valueFor(region, type.type)}>
            {told(type)}
          </option>
        ))}
    </optgroup>
  ))

interface TypesProps {
  readonly cloud: number
  readonly offer: Offer | undefined
}

/** One of the machines that the provider has now; the one it had stays to be chosen. */
export const Types = ({ cloud, offer }: TypesProps) => {
  const types = useResource(`machine-types/${cloud}`, () => api.listMachineTypes({ params: { id: cloud } }))
  const before = offer?.cloud_id === cloud ? valueFor(offer.region, offer.machine_type) : ''
  return (
    <Shown of={types} lines={1}>
      {(rows) => {
        const isListed = rows.some(({ region, type }) => valueFor(region, type) === before)
        return (
          <Field name="type" label={say('machineType')} hint={say('machineTypeHint')}>
            {(wiring) => (
              <select {...wiring} required defaultValue={before}>
                {before === '' && <option value="">—</option>}
                {before !== '' && !isListed && (
                  <option value={before}>{say('typeGone', { type: before })}</option>
                )}
                <Options types={rows} />
              </select>
            )}
          </Field>
        )
      }}
    </Shown>
  )
}
