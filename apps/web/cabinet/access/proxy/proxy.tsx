import { useSignal } from '@preact/signals'
import type { ProxyProtocol } from '@sallyport/contract/shapes'
import { isAllowedProxy } from '@sallyport/domain/vpn/proxy-rules'
import { Act } from '../../../kit/act.tsx'
import { Choice } from '../../../kit/choice.tsx'
import { Confirmed } from '../../../kit/dialog.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import type { Access, ProxyCalls, ShownProxy } from '../access.ts'
import { Opening } from '../opening.tsx'
import { ProxyLink } from './link.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const all: readonly ProxyProtocol[] = ['socks5', 'http', 'mtproto']

interface PickProps {
  readonly value: ProxyProtocol
  readonly locationId?: number | undefined
  readonly onChoose: (protocol: ProxyProtocol) => void
}

export const ProxyProtocols = ({ value, locationId, onChoose }: PickProps) => (
  <Choice
    legend={say('kind')}
    value={value}
    onChoose={onChoose}
    options={all.map((name) => {
      const isAllowed = locationId === undefined || isAllowedProxy(name, locationId)
      return {
        value: name,
        title: say(name),
        text: isAllowed ? say(`${name}_text`) : say('notHere'),
        disabled: !isAllowed,
      }
    })}
  />
)

interface CallsProps {
  readonly calls: ProxyCalls
  readonly locationId: number | undefined
  readonly of: Resource<ShownProxy | null>
}

const Create = ({ calls, locationId, of }: CallsProps) => {
  const protocol = useSignal<ProxyProtocol>('socks5')
  return (
    <>
      <p>{say('about')}</p>
      <Form
        submit={say('create')}
        send={async ({ tls_domain: domain }) => {
          of.set(await calls.create(protocol.value, domain?.trim() || undefined))
          tell(say('created'))
        }}
      >
        <ProxyProtocols
          value={protocol.value}
          locationId={locationId}
          onChoose={(next) => {
            protocol.value = next
          }}
        />
        {calls.hasDomain && protocol.value === 'mtproto' && (
          <Field name="tls_domain" label={say('domain')} hint={say('domainHint')}>
            {(wiring) => (
              <input {...wiring} type="text" maxLength={253} autocapitalize="off" spellcheck={false} />
            )}
          </Field>
        )}
      </Form>
    </>
  )
}

interface PresentProps extends CallsProps {
  readonly proxy: ShownProxy
}

const Kind = ({ calls, locationId, of, proxy }: PresentProps) => {
  const protocol = useSignal(proxy.protocol)
  return (
    <>
      <ProxyProtocols
        value={protocol.value}
        locationId={locationId}
        onChoose={(next) => {
          protocol.value = next
        }}
      />
      <Act
        kind="p"
        disabled={protocol.value === proxy.protocol}
        run={async () => {
          of.set(await calls.change(protocol.value))
          tell(say('changed'))
        }}
      >
        {say('save')}
      </Act>
    </>
  )
}

const Present = (props: PresentProps) => {
  const { calls, of, proxy } = props
  return (
    <>
      <h3>{say(proxy.protocol)}</h3>
      <ProxyLink proxy={proxy} />
      {proxy.tls_domain !== undefined && <p class="small">{say('behind', { site: proxy.tls_domain })}</p>}
      <Opening title={say('changeIt')}>{() => <Kind {...props} />}</Opening>
      <Confirmed
        title={say('removeConfirm')}
        yes={say('remove')}
        run={async () => {
          await calls.remove()
          of.set(null)
          tell(say('removed'))
        }}
      >
        <p>{say('removeText')}</p>
      </Confirmed>
    </>
  )
}

const Of = ({ access, calls }: { readonly access: Access; readonly calls: ProxyCalls }) => {
  // New keys of the access are new keys of its proxy.
  const proxy = useResource(`proxy/${access.kind}/${access.id}`, () => calls.show())
  const common = { calls, locationId: access.locationId, of: proxy }
  return (
    <Shown of={proxy}>
      {(found) =>
        found ? <Present key={found.protocol} {...common} proxy={found} /> : <Create {...common} />
      }
    </Shown>
  )
}

/** For a browser, a program or Telegram alone, without a VPN app. */
export default function ProxyPart({ access }: { readonly access: Access }) {
  return access.proxy ? <Of key={access.connection_url} access={access} calls={access.proxy} /> : null
}
