import { useSignal } from '@preact/signals'
import { Choice } from '../../../kit/choice.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { type FieldOf, Fields, readFields } from '../../kit/forms/fields.tsx'
import { isProvider, type Kind, kinds } from './cloud.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = Parameters<typeof api.createCloud>[0]['body']

const fieldsOf = (kind: Kind, nodes: readonly (readonly [string, string])[]): readonly FieldOf[] => [
  { name: 'title', label: say('name'), hint: say('nameHint'), isRequired: true },
  ...(isProvider(kind)
    ? [
        {
          name: 'token',
          label: say('token'),
          hint: say('tokenHint'),
          kind: 'secret',
          isRequired: true,
        } as const,
      ]
    : []),
  ...(kind === 'local'
    ? [
        {
          name: 'node_id',
          label: say('node'),
          hint: say('nodeHint'),
          kind: 'choice',
          options: nodes,
          isNumeric: true,
          isRequired: true,
        } as const,
      ]
    : []),
]

const NewForm = ({ made }: NewCloudProps) => {
  const kind = useSignal<Kind>('hetzner')
  const nodes = useResource('nodes', () => api.listNodes({}))
  const places = (nodes.data.value ?? []).map(({ id, name }) => [String(id), name] as const)
  const fields = fieldsOf(kind.value, places)
  const send = async (filled: Readonly<Record<string, string>>) => {
    const body = { ...readFields(fields, filled), kind: kind.value } as Body
    // What is kept to send it again must not hold the token.
    const wish = { ...body, token: undefined }
    await once('createCloud', wish, (idempotencyKey) => api.createCloud({ body, idempotencyKey }))
    tell(say('made'))
    await made()
  }
  return (
    <>
      <Choice
        legend={say('kind')}
        value={kind.value}
        onChoose={(value) => (kind.value = value)}
        options={kinds.map((value) => ({ value, title: say(value), text: say(`${value}_text`) }))}
      />
      <Form key={kind.value} send={send} submit={say('addNow')}>
        <Fields fields={fields} />
      </Form>
    </>
  )
}

interface NewCloudProps {
  readonly made: () => Promise<void>
}

export const NewCloud = ({ made }: NewCloudProps) => {
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" class="p" onClick={() => (isOpen.value = true)}>
        {say('add')}
      </button>
      <Dialog isOpen={isOpen} title={say('add')}>
        <NewForm
          made={async () => {
            isOpen.value = false
            await made()
          }}
        />
      </Dialog>
    </>
  )
}
