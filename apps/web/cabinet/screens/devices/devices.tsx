import { useMemo } from 'preact/hooks'
import { api } from '../../../lib/api.ts'
import { kept } from '../../../lib/kept.ts'
import { sayIn } from '../../../lib/language.ts'
import { resource } from '../../../lib/resource.ts'
import { DeviceList } from '../../devices/list.tsx'
import { DeviceRules } from '../../devices/rules.tsx'
import { type DeviceSource, pageSize, partOf } from '../../devices/source.ts'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const readPage = (page: number) => () => api.listDevices({ query: { page, limit: pageSize } })

/** Those that fetch the account's own link. */
const accountDevices = (): DeviceSource => {
  const first = resource('devices', readPage(1))
  return {
    own: kept<number>('device:this'),
    connect: to('/connect'),
    pageOf: (page) => (page === 1 ? first : resource(`devices/${page}`, readPage(page))),
    rules: partOf(
      first,
      ({ settings }) => settings,
      (whole, settings) => ({ ...whole, settings }),
    ),
    change: (body) => api.changeDeviceSettings({ body }),
    block: (id, is_blocked) => api.blockDevice({ params: { id }, body: { is_blocked } }),
    remove: (id) => api.deleteDevice({ params: { id } }),
    removeAll: () => api.deleteAllDevices(),
  }
}

export default function Devices() {
  const source = useMemo(accountDevices, [])
  return (
    <>
      <h1>{say('title')}</h1>
      <DeviceList source={source} />
      <DeviceRules source={source} />
      <p class="small">
        {say('others')} <a href={to('/subscriptions')}>{say('toSubscriptions')}</a>
      </p>
    </>
  )
}
