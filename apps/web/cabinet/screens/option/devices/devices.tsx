import { Act } from '../../../../kit/act.tsx'
import { Confirmed } from '../../../../kit/dialog.tsx'
import { Empty, Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { date } from '../../../../lib/format.ts'
import { sayIn } from '../../../../lib/language.ts'
import { useResource } from '../../../../lib/resource.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Device = Awaited<ReturnType<typeof api.listPanelDevices>>['devices'][number]

const nameOf = ({ device_model: model, platform, hwid }: Device): string => model || platform || hwid

const Row = ({ device, remove }: { readonly device: Device; readonly remove: () => Promise<unknown> }) => (
  <li>
    <span>
      <b>{nameOf(device)}</b>
      <br />
      <span class="small">
        {[`${device.platform} ${device.os_version}`.trim(), say('since', { date: date(device.created_at) })]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
    <Act label={say('removeIt', { name: nameOf(device) })} run={remove}>
      {say('remove')}
    </Act>
  </li>
)

/** Devices that fetched the option; each takes one of its places. */
export default function Devices({ id }: { readonly id: number }) {
  const devices = useResource(`option-devices/${id}`, () => api.listPanelDevices({ params: { id } }))
  const remove = async (hwid: string) => {
    await api.deletePanelDevice({ params: { id, device_id: hwid } })
    await devices.reload()
    tell(say('removed'))
  }
  return (
    <Shown of={devices}>
      {({ total, devices: all }) =>
        all.length === 0 ? (
          <Empty title={say('empty')} />
        ) : (
          <>
            <p class="small">{say('about')}</p>
            <ul class="list">
              {all.map((device) => (
                <Row key={device.hwid} device={device} remove={() => remove(device.hwid)} />
              ))}
            </ul>
            {total > all.length && <p class="small">{say('more', { n: total - all.length })}</p>}
            <Confirmed
              title={say('removeAllConfirm')}
              yes={say('removeAll')}
              run={async () => {
                await api.deletePanelDevices({ params: { id } })
                devices.set({ total: 0, devices: [] })
                tell(say('removedAll'))
              }}
            >
              <p>{say('removeAllText')}</p>
            </Confirmed>
          </>
        )
      }
    </Shown>
  )
}
