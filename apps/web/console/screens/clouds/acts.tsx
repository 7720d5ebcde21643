import { useSignal } from '@preact/signals'
import { Confirmed, Dialog } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { type Cloud, isProvider } from './cloud.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.changeCloud>[0]['body']>

const fieldsOf = ({ kind }: Cloud): readonly FieldOf[] => [
  { name: 'title', label: say('name'), isRequired: true },
  ...(isProvider(kind)
    ? [{ name: 'token', label: say('newToken'), hint: say('newTokenHint'), kind: 'secret' } as const]
    : []),
  { name: 'is_active', label: say('active'), hint: say('activeHint'), kind: 'check' },
]

interface ActsProps {
  readonly cloud: Cloud
  readonly changed: () => Promise<void>
}

const Change = ({ cloud, changed }: ActsProps) => {
  const isOpen = useSignal(false)
  const { id, title } = cloud
  return (
    <>
      <button type="button" aria-label={say('changeOne', { title })} onClick={() => (isOpen.value = true)}>
        {say('change')}
      </button>
      <Dialog isOpen={isOpen} title={title}>
        <Edit
          row={cloud}
          fields={fieldsOf(cloud)}
          send={(body) => api.changeCloud({ params: { id }, body: body as Body })}
          onSaved={() => {
            isOpen.value = false
            void changed()
          }}
        />
      </Dialog>
    </>
  )
}

export const Acts = ({ cloud, changed }: ActsProps) => {
  const { id, title, kind } = cloud
  const remove = async () => {
    await api.deleteCloud({ params: { id } })
    tell(say('removed'))
    await changed()
  }
  return (
    <div class="acts">
      {may('changeCloud') && <Change cloud={cloud} changed={changed} />}
      {may('deleteCloud') && (
        <Confirmed title={say('removeTitle', { title })} yes={say('remove')} run={remove}>
          <p>{say(kind === 'local' ? 'removeLocal' : 'removeText')}</p>
        </Confirmed>
      )}
    </div>
  )
}
