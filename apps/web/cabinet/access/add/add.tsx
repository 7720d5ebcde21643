import { type Signal, useSignal } from '@preact/signals'
import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import { Choice } from '../../../kit/choice.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { recommended } from '../../vpn/protocols.ts'
import { hasSwitches, moved } from '../../vpn/switches.ts'
import { Switches, tellDropped } from '../../vpn/switches.tsx'
import { words as vpnWords } from '../../vpn/words.en.ts'
import type { Server } from '../access.ts'
import { Protocols, Servers } from '../change/pick.tsx'
import { Opening } from '../opening.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayVpn = sayIn(vpnWords)

export interface Added {
  readonly protocol: Protocol
  readonly server_id?: number
  readonly title?: string
  readonly switches: Readonly<Partial<Record<SwitchName, true>>>
}

export interface AddProps {
  /** Names what its servers belong to. */
  readonly name: string
  readonly locationId: number | undefined
  readonly servers?: (protocol: Protocol) => Promise<readonly Server[]>
  readonly create: (added: Added) => Promise<unknown>
  /** A proxy for Telegram, where that is a connection too. */
  readonly createTelegram?: (title: string | undefined) => Promise<unknown>
}

interface Wanted {
  readonly protocol: Protocol
  readonly serverId: number | undefined
  readonly on: readonly SwitchName[]
}

interface SettingsProps extends Pick<AddProps, 'name' | 'locationId' | 'servers'> {
  readonly wanted: Signal<Wanted>
}

const Settings = ({ name, locationId, servers, wanted }: SettingsProps) => {
  const { protocol, serverId, on } = wanted.value
  const edit = (change: Partial<Wanted>) => {
    wanted.value = { ...wanted.value, ...change }
  }
  const choose = (next: Protocol | undefined) => {
    if (!next) return
    const { on: kept, dropped } = moved({ protocol: next, locationId }, on)
    tellDropped(dropped)
    edit({ protocol: next, serverId: undefined, on: kept })
  }
  return (
    <>
      <Opening title={say('protocolNow', { protocol: sayVpn(protocol) })}>
        {() => <Protocols value={protocol} onChoose={choose} />}
      </Opening>
      {servers && (
        <Opening title={say('serverNow')}>
          {() => (
            <Servers
              key={protocol}
              name={`${name}/${protocol}`}
              read={() => servers(protocol)}
              current={undefined}
              value={serverId}
              onChoose={(id) => edit({ serverId: id })}
            />
          )}
        </Opening>
      )}
      {hasSwitches(protocol) && (
        <Opening title={on.length > 0 ? say('optionsNow', { n: on.length }) : say('options')}>
          {() => (
            <Switches place={{ protocol, locationId }} on={on} onChange={(next) => edit({ on: next })} />
          )}
        </Opening>
      )}
    </>
  )
}

const Usual = ({ create, ...rest }: AddProps) => {
  const wanted = useSignal<Wanted>({ protocol: recommended, serverId: undefined, on: [] })
  const { protocol, serverId, on } = wanted.value
  return (
    <Form
      isSpending
      submit={say('add')}
      send={async ({ title }) => {
        await create({
          protocol,
          ...(serverId !== undefined && { server_id: serverId }),
          ...(title?.trim() && { title: title.trim() }),
          switches: Object.fromEntries(on.map((one) => [one, true])),
        })
        tell(say('added'))
      }}
    >
      <Named />
      <Settings {...rest} wanted={wanted} />
    </Form>
  )
}

const Named = () => (
  <Field name="title" label={say('title')} hint={say('titleHint')}>
    {(wiring) => <input {...wiring} type="text" maxLength={64} />}
  </Field>
)

const Telegram = ({ create }: { readonly create: NonNullable<AddProps['createTelegram']> }) => (
  <Form
    isSpending
    submit={say('add')}
    send={async ({ title }) => {
      await create(title?.trim() || undefined)
      tell(say('added'))
    }}
  >
    <Named />
  </Form>
)

/** A connection more, on servers that are there already. */
export default function Add(props: AddProps) {
  const kind = useSignal<'usual' | 'telegram'>('usual')
  const { createTelegram } = props
  if (!createTelegram) return <Usual {...props} />
  return (
    <>
      <Choice
        legend={say('kind')}
        value={kind.value}
        onChoose={(next) => {
          kind.value = next
        }}
        options={[
          { value: 'usual', title: say('usual'), text: say('usualText') },
          { value: 'telegram', title: say('telegram'), text: say('telegramText') },
        ]}
      />
      {kind.value === 'usual' ? <Usual {...props} /> : <Telegram create={createTelegram} />}
    </>
  )
}
