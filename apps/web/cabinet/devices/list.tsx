import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Act } from '../../kit/act.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Badge, Card } from '../../kit/look.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Empty, Shown } from '../../kit/shown.tsx'
import { tell } from '../../kit/toast.tsx'
import { ago } from '../../lib/relative.ts'
import type { Resource } from '../../lib/resource.ts'
import { pagesOf, withBlocked } from './count.ts'
import { say, systemName } from './say.ts'
import type { Device, DeviceSource, DevicesPage } from './source.ts'

type What = 'block' | 'remove'

const nameOf = ({ device_name, device_type }: Device): string =>
  device_name || systemName(device_type) || say('unnamed')

interface LineProps {
  readonly device: Device
  readonly isOwn: boolean
  readonly unblock: () => Promise<unknown>
  readonly ask: (what: What) => void
}

const Line = ({ device, isOwn, unblock, ask }: LineProps) => {
  const name = nameOf(device)
  const system = [systemName(device.device_type), device.os_version].filter(Boolean).join(' ')
  return (
    <li>
      <div>
        <b>{name}</b> {isOwn && <Badge tone="good">{say('isThis')}</Badge>}{' '}
        {device.is_blocked && <Badge tone="bad">{say('blocked')}</Badge>}
        <p class="small">
          {[system === name ? '' : system, say('seen', { when: ago(device.last_seen_at) })]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {device.is_fingerprinted && <p class="small">{say('fingerprinted')}</p>}
        {device.is_blocked && (
          <Act run={unblock} label={say('unblockIt', { name })}>
            {say('unblock')}
          </Act>
        )}
      </div>
      <Menu
        label={say('menu', { name })}
        items={[
          ...(device.is_blocked ? [] : [{ text: say('block'), run: () => ask('block') }]),
          { text: say('remove'), run: () => ask('remove'), isDanger: true },
        ]}
      />
    </li>
  )
}

interface AskedProps {
  readonly asked: Signal<{ readonly device: Device; readonly what: What } | undefined>
  readonly isOpen: Signal<boolean>
  readonly own: number | undefined
  readonly run: (device: Device, what: What) => Promise<unknown>
}

const Asked = ({ asked, isOpen, own, run }: AskedProps) => {
  if (!asked.value) return null
  const { device, what } = asked.value
  return (
    <Confirm
      isOpen={isOpen}
      title={say(`${what}Title`, { name: nameOf(device) })}
      yes={say(what)}
      run={() => run(device, what)}
    >
      {device.id === own && <p>{say('ownText')}</p>}
      <p>{say(`${what}Text`)}</p>
    </Confirm>
  )
}

interface PagesProps {
  readonly page: Signal<number>
  readonly all: number
}

const Pages = ({ page, all }: PagesProps) => {
  const turn = (by: number) => () => {
    page.value += by
  }
  return (
    <nav class="row" aria-label={say('pages')}>
      <button type="button" disabled={page.value <= 1} onClick={turn(-1)}>
        {say('before')}
      </button>
      <span class="small" role="status">
        {say('page', { n: page.value, all })}
      </span>
      <button type="button" disabled={page.value >= all} onClick={turn(1)}>
        {say('after')}
      </button>
    </nav>
  )
}

interface InnerProps {
  readonly source: DeviceSource
  readonly read: Resource<DevicesPage>
  readonly page: Signal<number>
}

const Lines = ({ source, read, page }: InnerProps) => {
  const asked = useSignal<{ readonly device: Device; readonly what: What } | undefined>(undefined)
  const isOpen = useSignal(false)
  const block = async (id: number, isBlocked: boolean) => {
    await source.block(id, isBlocked)
    if (read.data.value) read.set(withBlocked(read.data.value, id, isBlocked))
    tell(say(isBlocked ? 'nowBlocked' : 'nowOpen'))
  }
  const remove = async (id: number) => {
    await source.remove(id)
    await Promise.all([read.reload(), source.pageOf(1).reload()])
    tell(say('nowRemoved'))
  }
  return (
    <Shown of={read}>
      {(known) => {
        if (known.devices.length === 0 && page.value === 1)
          return (
            <Empty title={say('none')}>
              <a class="button p" href={source.connect}>
                {say('connect')}
              </a>
            </Empty>
          )
        const all = pagesOf(known)
        return (
          <>
            <p class="small">{say('about')}</p>
            <ul class="list">
              {known.devices.map((device) => (
                <Line
                  key={device.id}
                  device={device}
                  isOwn={device.id === source.own}
                  unblock={() => block(device.id, false)}
                  ask={(what) => {
                    asked.value = { device, what }
                    isOpen.value = true
                  }}
                />
              ))}
            </ul>
            {all > 1 && <Pages page={page} all={all} />}
            <Asked
              asked={asked}
              isOpen={isOpen}
              own={source.own}
              run={({ id }, what) => (what === 'block' ? block(id, true) : remove(id))}
            />
          </>
        )
      }}
    </Shown>
  )
}

/** Every device with what can be done about it. */
export const DeviceList = ({ source }: { readonly source: DeviceSource }) => {
  const page = useSignal(1)
  const read = source.pageOf(page.value)
  useEffect(() => {
    void read.reload()
  }, [read])
  // The last of a page may have been removed, and all of them at once.
  const first = source.pageOf(1).data.value
  const last = first ? pagesOf(first) : page.value
  useEffect(() => {
    if (page.value > last) page.value = last
  }, [page, last])
  return (
    <Card title={say('list')}>
      <Lines source={source} read={read} page={page} />
    </Card>
  )
}
