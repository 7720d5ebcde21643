import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Confirmed } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead } from '../../../lib/resource.ts'
import { route } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { type Enrolment, EnrolmentDialog } from '../../kit/enrolment.tsx'
import { Make } from '../../kit/forms/make.tsx'
import { to } from '../../paths.ts'
import type { NodeProps } from './node-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Of a machine that has never reported nothing ends by it. */
const Enrol = ({ node, enrol }: Pick<NodeProps, 'node'> & { readonly enrol: () => Promise<void> }) =>
  node.last_seen_at === null ? (
    <Act run={enrol}>{say('enrolFirst')}</Act>
  ) : (
    <Make title={say('enrol')} submit={say('enrolNow')} fields={[]} send={enrol}>
      <p>{say('enrolText', { name: node.name })}</p>
    </Make>
  )

export const Acts = ({ node, of }: NodeProps) => {
  const { id } = node
  const enrolment = useSignal<Enrolment | undefined>(undefined)
  const enrol = async () => {
    const made = await once('createEnrolment', { id }, (idempotencyKey) =>
      api.createEnrolment({ params: { id }, idempotencyKey }),
    )
    enrolment.value = { ...made, nodeId: id }
    await of.reload()
  }
  const remove = async () => {
    await api.deleteNode({ params: { id } })
    tell(say('removed'))
    forgetRead('nodes')
    route(to('/console/nodes'))
  }
  return (
    <div class="acts">
      {may('createEnrolment') && <Enrol node={node} enrol={enrol} />}
      {may('deleteNode') && (
        <Confirmed title={say('removeTitle', { name: node.name })} yes={say('remove')} run={remove}>
          <p>{say('removeText')}</p>
        </Confirmed>
      )}
      {may('createEnrolment') && <EnrolmentDialog of={enrolment} />}
    </div>
  )
}
