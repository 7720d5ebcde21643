import { useSignal } from '@preact/signals'
import type { CloudProxy } from '@sallyport/contract/customer/cloud-servers/shapes'
import type { ProxyProtocol } from '@sallyport/contract/shapes'
import { Act } from '../../../../kit/act.tsx'
import { Confirm } from '../../../../kit/dialog.tsx'
import { Empty, Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { sayIn } from '../../../../lib/language.ts'
import { once } from '../../../../lib/once.ts'
import { type Resource, useResource } from '../../../../lib/resource.ts'
import { Opening } from '../../../access/opening.tsx'
import { ProxyLink } from '../../../access/proxy/link.tsx'
import { ProxyProtocols } from '../../../access/proxy/proxy.tsx'
import { Title } from '../../../access/title.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

interface OneProps {
  readonly serverId: number
  readonly proxy: CloudProxy
  /** Null: it is gone. */
  readonly onChanged: (proxy: CloudProxy | null) => void
}

const Kind = ({ serverId, proxy, onChanged }: OneProps) => {
  const protocol = useSignal(proxy.protocol)
  const params = { server_id: serverId, proxy_id: proxy.id }
  return (
    <>
      <ProxyProtocols
        value={protocol.value}
        onChoose={(next) => {
          protocol.value = next
        }}
      />
      <Act
        kind="p"
        disabled={protocol.value === proxy.protocol}
        run={async () => {
          const body = { protocol: protocol.value }
          onChanged({ ...proxy, ...(await api.changeCloudProxyProtocol({ params, body })) })
          tell(say('changed'))
        }}
      >
        {say('save')}
      </Act>
    </>
  )
}

const One = ({ serverId, proxy, onChanged }: OneProps) => {
  const isRemoving = useSignal(false)
  const params = { server_id: serverId, proxy_id: proxy.id }
  const usualName = `${say(proxy.protocol)} · ${proxy.id}`
  const name = proxy.title ?? usualName
  const rename = async (title: string | null) => {
    await api.changeCloudProxyTitle({ params, body: { title } })
    onChanged({ ...proxy, title })
  }
  return (
    <section class="card">
      <Title title={proxy.title} usualName={usualName} rename={rename} most={100} level={3} />
      <ProxyLink proxy={proxy} />
      <Opening title={say('kind')}>
        {() => <Kind serverId={serverId} proxy={proxy} onChanged={onChanged} />}
      </Opening>
      <button
        type="button"
        class="danger"
        aria-label={say('removeIt', { name })}
        onClick={() => {
          isRemoving.value = true
        }}
      >
        {say('remove')}
      </button>
      <Confirm
        isOpen={isRemoving}
        title={say('removeConfirm', { name })}
        yes={say('remove')}
        run={async () => {
          await api.deleteCloudProxy({ params })
          tell(say('removed'))
          onChanged(null)
        }}
      >
        <p>{say('removeText')}</p>
      </Confirm>
    </section>
  )
}

const Create = ({ serverId, of }: { readonly serverId: number; readonly of: Resource<CloudProxy[]> }) => {
  const protocol = useSignal<ProxyProtocol>('socks5')
  const create = async () => {
    const [params, body] = [{ server_id: serverId }, { protocol: protocol.value }]
    const made = await once('createCloudProxy', { ...params, ...body }, (idempotencyKey) =>
      api.createCloudProxy({ params, body, idempotencyKey }),
    )
    of.set([...(of.data.value ?? []), made])
    tell(say('created'))
  }
  return (
    <>
      <ProxyProtocols
        value={protocol.value}
        onChoose={(next) => {
          protocol.value = next
        }}
      />
      <Act kind="p" isSpending run={create}>
        {say('create')}
      </Act>
    </>
  )
}

/** Proxies on the machine, as many as wanted. */
export default function Proxies({ serverId }: { readonly serverId: number }) {
  const proxies = useResource(`cloud-proxies/${serverId}`, () =>
    api.listCloudProxies({ params: { server_id: serverId } }),
  )
  return (
    <>
      <p>{say('about')}</p>
      <Shown of={proxies}>
        {(all) => (
          <>
            {all.length === 0 && <Empty title={say('empty')} />}
            {all.map((proxy) => (
              <One
                key={`${proxy.id}/${proxy.protocol}`}
                serverId={serverId}
                proxy={proxy}
                onChanged={(changed) =>
                  proxies.set(all.flatMap((one) => (one === proxy ? (changed ? [changed] : []) : [one])))
                }
              />
            ))}
            <Opening title={say('add')}>{() => <Create serverId={serverId} of={proxies} />}</Opening>
          </>
        )}
      </Shown>
    </>
  )
}
