import { useSignal } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { type FieldOf, Fields, readFields } from '../../kit/forms/fields.tsx'
import { FoldedFields } from '../../kit/forms/folded-fields.tsx'
import { CertificateFields } from '../../kit/forms/pem.tsx'
import { Ticks, tickedIn } from '../../kit/forms/ticks.tsx'
import { type Protocol, protocols } from '../../kit/protocols.ts'
import { to } from '../../paths.ts'
import type { NodeProps } from './node-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = Parameters<typeof api.createServer>[0]['body']
type Places = readonly (readonly [value: string, title: string])[]

const firstFields = (places: Places): readonly FieldOf[] => [
  {
    name: 'location_id',
    label: say('location'),
    kind: 'choice',
    options: places,
    isNumeric: true,
    isRequired: true,
  },
  { name: 'capacity', label: say('capacity'), hint: say('capacityHint'), kind: 'number', isRequired: true },
  { name: 'reality_target', label: say('realityTarget'), hint: say('realityTargetHint'), isRequired: true },
  { name: 'reality_server_name', label: say('realityName'), hint: say('realityNameHint'), isRequired: true },
]
const usual = {
  capacity: 200,
  reality_target: 'www.microsoft.com:443',
  reality_server_name: 'www.microsoft.com',
}

const nameFields: readonly FieldOf[] = [
  { name: 'domain', label: say('domain'), hint: say('domainHint') },
  { name: 'other_reality_target', label: say('otherTarget'), hint: say('otherTargetHint') },
  { name: 'other_reality_server_name', label: say('otherName') },
]

/** Of AmneziaWG every customer has one of their own. */
const portFields: readonly FieldOf[] = protocols
  .filter((one) => one !== 'amnezia-wg-2')
  .map((one) => ({ name: `ports.${one}`, label: say('portOf', { name: one }), kind: 'number' }))

const given = (fields: readonly FieldOf[], filled: Readonly<Record<string, string>>) =>
  Object.entries(readFields(fields, filled)).filter(([, value]) => value !== '')

/** What is left out, the service chooses. */
const bodyOf = (nodeId: number, places: Places, filled: Readonly<Record<string, string>>): Body => {
  const chosen = tickedIn(filled, 'protocols') as Protocol[]
  const ports = given(portFields, filled).map(([name, port]) => [name.slice('ports.'.length), port])
  const pem = ['certificate', 'certificate_key'].filter((name) => filled[name]?.trim())
  return {
    ...(Object.fromEntries(given([...firstFields(places), ...nameFields], filled)) as unknown as Body),
    ...Object.fromEntries(pem.map((name) => [name, filled[name]])),
    ...(chosen.length < protocols.length && { protocols: chosen }),
    ...(ports.length > 0 && { ports: Object.fromEntries(ports) }),
    node_id: nodeId,
  }
}

const More = () => (
  <>
    <FoldedFields title={say('offers')} names={['protocols']}>
      <Ticks
        name="protocols"
        legend={say('protocols')}
        hint={say('protocolsHint')}
        ticked={protocols}
        options={protocols.map((value) => ({ value, title: value }))}
      />
    </FoldedFields>
    <FoldedFields
      title={say('names')}
      names={[...nameFields.map(({ name }) => name), 'certificate', 'certificate_key']}
    >
      <Fields fields={nameFields} />
      <CertificateFields />
    </FoldedFields>
    <FoldedFields title={say('ports')} names={['ports']}>
      <p class="small">{say('portsHint')}</p>
      <div class="figures">
        <Fields fields={portFields} />
      </div>
    </FoldedFields>
  </>
)

interface NewServerProps extends Pick<NodeProps, 'node'> {
  readonly places: Places
  readonly made: () => Promise<void>
}

export const NewServer = ({ node, places, made }: NewServerProps) => {
  const isOpen = useSignal(false)
  const send = async (filled: Readonly<Record<string, string>>) => {
    const body = bodyOf(node.id, places, filled)
    // What is kept to send it again must not hold the key.
    const wish = { ...body, certificate_key: undefined }
    await once('createServer', wish, (idempotencyKey) => api.createServer({ body, idempotencyKey }))
    isOpen.value = false
    tell(say('serverMade'))
    await made()
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('addServer')}
      </button>
      <Dialog isOpen={isOpen} title={say('addServer')}>
        {places.length === 0 ? (
          <p>
            {say('noLocations')} <a href={to('/console/locations')}>{say('toLocations')}</a>
          </p>
        ) : (
          <Form send={send} submit={say('addServerNow')}>
            <Fields fields={firstFields(places)} values={usual} />
            <More />
          </Form>
        )}
      </Dialog>
    </>
  )
}
