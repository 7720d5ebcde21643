import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import { useEffect } from 'preact/hooks'
import { api } from '../../../../lib/api.ts'
import { kept } from '../../../../lib/kept.ts'
import { resource } from '../../../../lib/resource.ts'
import { cloudName, placeName } from '../../../owned/names.ts'
import { locationOf, mayCome, rest } from '../rest.ts'
import type { Thing } from '../things.ts'
import { type Charge, chargesOf, fromBalance, type Tariff } from './charges.ts'

/** What the cards gain: names, prices, and what fewer people have. */

const prices = () => ({
  configTariffs: resource('config-tariffs', () => api.listConfigTariffs()),
  cloudTariffs: resource('cloud-tariffs', () => api.listCloudTariffs()),
})

const useOnce = (isNeeded: boolean, load: () => Promise<void>): void => {
  useEffect(() => {
    if (isNeeded) void load()
  }, [isNeeded])
}

/** Asks for what these things need. */
export const Needs = ({ things }: { readonly things: readonly Thing[] }) => {
  const has = (wanted: Thing['kind']): boolean => things.some(({ kind }) => kind === wanted)
  useOnce(true, () => rest().clouds.reload())
  useOnce(true, () => rest().ended.reload())
  useOnce(kept('device:this') !== undefined, () => rest().devices.reload())
  useOnce(has('config') || has('cloud'), () => rest().locations.reload())
  useOnce(has('config'), () => prices().configTariffs.reload())
  useOnce(has('option'), () => rest().optionTariffs.reload())
  useOnce(has('cloud'), () => prices().cloudTariffs.reload())
  return null
}

const machineOf = (thing: Thing) =>
  'cloud' in thing.of
    ? prices().cloudTariffs.data.value?.find(
        ({ id }) => 'cloud' in thing.of && id === thing.of.cloud.tariff_config_id,
      )
    : undefined

interface Named {
  readonly title: string
  readonly about: string
  readonly isUnnamed: boolean
}

/** As on its own page; beneath stands what the name does not say. */
export const ownServer = (thing: Thing, cloud: CloudServer): Named => {
  const at = locationOf(cloud.location_id)
  const place = at && placeName(at)
  const title = cloudName(cloud, place)
  const parts = [cloud.hostname === null ? undefined : place, machineOf(thing)?.title, cloud.url]
  const isUnnamed = cloud.hostname === null && place === undefined && mayCome(rest().locations)
  return { title, about: parts.filter(Boolean).join(' · '), isUnnamed }
}

/** Undefined until the prices are there. */
export const tariffsOf = (thing: Thing): readonly Tariff[] | undefined => {
  if (thing.kind === 'config') {
    const methods = prices().configTariffs.data.value
    return methods && fromBalance(methods)
  }
  if (thing.kind === 'option') {
    const options = rest().optionTariffs.data.value
    return options && fromBalance(options.find(({ id }) => id === thing.id)?.payment_methods)
  }
  return prices().cloudTariffs.data.value && fromBalance(machineOf(thing)?.payment_methods)
}

export const chargesFor = (things: readonly Thing[], balance: number): ReadonlyMap<Thing, Charge> =>
  chargesOf(things, tariffsOf, balance)
