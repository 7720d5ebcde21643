import { useMemo } from 'preact/hooks'
import { api } from '../../../lib/api.ts'
import { resource, useResource } from '../../../lib/resource.ts'
import { DeviceList } from '../../devices/list.tsx'
import { DeviceRules } from '../../devices/rules.tsx'
import { type DeviceSource, pageSize } from '../../devices/source.ts'
import { to } from '../../paths.ts'

/** Those that fetch this link. */
export default function SubscriptionDevices({ id }: { readonly id: number }) {
  const params = { id }
  const rules = useResource(`subscription-device-rules/${id}`, () =>
    api.showSubscriptionDeviceSettings({ params }),
  )
  const source = useMemo((): DeviceSource => {
    const pageOf = (page: number) =>
      resource(page === 1 ? `subscription-devices/${id}` : `subscription-devices/${id}/${page}`, () =>
        api.listSubscriptionDevices({ params, query: { page, limit: pageSize } }),
      )
    return {
      own: undefined,
      connect: `${to('/connect')}?for=${id}`,
      pageOf,
      rules,
      change: (body) => api.changeSubscriptionDeviceSettings({ params, body }),
      block: (deviceId, is_blocked) =>
        api.blockSubscriptionDevice({ params: { id, deviceId }, body: { is_blocked } }),
      remove: (deviceId) => api.deleteSubscriptionDevice({ params: { id, deviceId } }),
      removeAll: () => api.deleteSubscriptionDevices({ params }),
    }
  }, [id, rules])
  return (
    <>
      <DeviceList source={source} />
      <DeviceRules source={source} />
    </>
  )
}
