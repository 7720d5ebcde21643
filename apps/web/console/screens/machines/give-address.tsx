import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Form } from '../../../kit/form.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { type Enrolment, EnrolmentDialog } from '../../kit/enrolment.tsx'
import { Fields } from '../../kit/forms/fields.tsx'
import type { Machine } from './machine.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const fields = [{ name: 'address', label: say('address'), hint: say('addressHint'), isRequired: true }]

/** Its node is made with the address. */
const give = async (id: number, address: string): Promise<Enrolment> => {
  const body = { address }
  const made = await once('setMachineAddress', { id, body }, (idempotencyKey) =>
    api.setMachineAddress({ params: { id }, body, idempotencyKey }),
  )
  const [row] = await api.listMachines({ query: { before: id + 1, limit: 1 } })
  return { ...made, nodeId: row?.node_id ?? 0 }
}

interface GiveProps {
  readonly of: Signal<Machine | undefined>
  readonly changed: () => Promise<void>
}

/** The service is told where a machine is; what to run there is shown once, and ticked off when its agent reports. */
export const GiveAddress = ({ of, changed }: GiveProps) => {
  const isOpen = useSignal(false)
  const enrolment = useSignal<Enrolment | undefined>(undefined)
  useSignalEffect(() => {
    isOpen.value = of.value !== undefined
  })
  useSignalEffect(() => {
    if (!isOpen.value) of.value = undefined
  })
  const row = of.value
  const send = async ({ address = '' }: Readonly<Record<string, string>>) => {
    if (!row) return
    enrolment.value = await give(row.id, address.trim())
    isOpen.value = false
    await changed()
  }
  return (
    <>
      <Dialog isOpen={isOpen} title={say('giveAddressOf', { id: `${row?.id ?? ''}` })}>
        <p>{row?.address ? say('replaces', { address: row.address }) : say('giveAddressText')}</p>
        <Form send={send} submit={say('giveAddressNow')}>
          <Fields fields={fields} />
        </Form>
      </Dialog>
      <EnrolmentDialog of={enrolment} />
    </>
  )
}
