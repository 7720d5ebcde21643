import type { Protocol } from '@sallyport/contract/shapes'
import { useId, useState } from 'preact/hooks'
import { Choice } from '../../../kit/choice.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { FoldedPart, later } from '../../../kit/later.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import type { ConfigWish } from '../../checkout/choices.ts'
import { protocols, recommended } from '../../vpn/protocols.ts'
import { hasSwitches } from '../../vpn/switches.ts'
import { words as vpnWords } from '../../vpn/words.en.ts'
import type { Server } from './asking.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayVpn = sayIn(vpnWords)
const Switches = later(() => import('../../vpn/switches.tsx').then((part) => part.Switches))

interface Chosen {
  readonly wish: ConfigWish
  readonly choose: (change: Partial<ConfigWish>) => void
}

const Protocols = ({
  value,
  onChoose,
}: {
  readonly value: Protocol
  readonly onChoose: (protocol: Protocol) => void
}) => (
  <Choice
    legend={say('protocol')}
    value={value}
    onChoose={onChoose}
    options={protocols.map((name) => ({
      value: name,
      title: (
        <>
          {sayVpn(name)} {name === recommended && <Badge tone="good">{sayVpn('recommended')}</Badge>}
        </>
      ),
      text: sayVpn(`${name}_text`),
    }))}
  />
)

const ServerField = ({ wish, choose, servers }: Chosen & { readonly servers: readonly Server[] }) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{say('server')}</label>
      <select
        id={id}
        value={wish.server ?? ''}
        onChange={({ currentTarget: { value } }) => choose({ server: value ? Number(value) : undefined })}
      >
        <option value="">{say('anyServer')}</option>
        {servers.map((one) => (
          <option key={one.id} value={one.id}>
            {say('serverNumber', { id: String(one.id), free: say('free', { n: one.available_slots }) })}
          </option>
        ))}
      </select>
    </div>
  )
}

interface ConnectionProps extends Chosen {
  readonly locationId: number
  readonly servers: readonly Server[]
  readonly onProtocol: (protocol: Protocol) => void
}

/** What most people never open: the usual is chosen already. */
export const Connection = ({ wish, choose, locationId, servers, onProtocol }: ConnectionProps) => {
  const { protocol, options } = wish
  // Open where something unusual was chosen before; what is pressed later leaves them as they are.
  const [wasOpen] = useState({ protocol: protocol !== recommended, options: options.length > 0 })
  return (
    <Card>
      <Fold title={say('howToConnect', { protocol: sayVpn(protocol) })} isOpen={wasOpen.protocol}>
        <p class="small">{say('howToConnectText')}</p>
        <Protocols value={protocol} onChoose={onProtocol} />
        <ServerField wish={wish} choose={choose} servers={servers} />
      </Fold>
      <FoldedPart
        title={options.length > 0 ? say('optionsOn', { n: options.length }) : say('options')}
        isOpen={wasOpen.options}
      >
        {() =>
          hasSwitches(protocol) ? (
            <Switches
              place={{ protocol, locationId }}
              on={options}
              onChange={(on) => choose({ options: on })}
            />
          ) : (
            <p>{say('noOptions')}</p>
          )
        }
      </FoldedPart>
    </Card>
  )
}
