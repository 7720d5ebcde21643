import { useSignal } from '@preact/signals'
import { Act } from '../../kit/act.tsx'
import { Field, Form } from '../../kit/form.tsx'
import { tell } from '../../kit/toast.tsx'
import { sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface TitleProps {
  readonly title: string | null
  readonly usualName: string
  readonly rename: (title: string | null) => Promise<unknown>
  readonly most?: number
  /** Of the heading: 1 for the screen, 3 in a list. */
  readonly level?: 1 | 3
}

/** A name that is changed where it stands. */
export const Title = ({ title, usualName, rename, most = 64, level = 1 }: TitleProps) => {
  const isEdited = useSignal(false)
  const Heading = `h${level}` as const
  const name = title ?? usualName
  const close = () => {
    isEdited.value = false
  }
  const save = async (next: string | null) => {
    await rename(next)
    close()
    tell(say('renamed'))
  }
  if (!isEdited.value)
    return (
      <div class="row">
        <Heading>{name}</Heading>
        <button
          type="button"
          class="icon"
          aria-label={say('renameIt', { name })}
          onClick={() => {
            isEdited.value = true
          }}
        >
          ✎
        </button>
      </div>
    )
  return (
    <div class="card">
      <Form send={({ title: next }) => save(next?.trim() || null)} submit={say('save')}>
        <Field name="title" label={say('titleLabel')} hint={say('titleHint', { name: usualName })}>
          {(wiring) => <input {...wiring} type="text" maxLength={most} defaultValue={title ?? ''} />}
        </Field>
      </Form>
      <div class="acts">
        {title !== null && <Act run={() => save(null)}>{say('titleAway')}</Act>}
        <button type="button" onClick={close}>
          {say('cancel')}
        </button>
      </div>
    </div>
  )
}
