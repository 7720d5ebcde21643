import { useSignal } from '@preact/signals'
import { Act } from '../../kit/act.tsx'
import { Field, Form } from '../../kit/form.tsx'
import { tell } from '../../kit/toast.tsx'
import { sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface NameProps {
  /** Undefined until it is known: a name that changes before one's eyes is worse than none. */
  readonly children: string | undefined
  /** Of the heading: 1 for the screen, 3 in a list. */
  readonly level?: 1 | 3
}

/** A heading, or a grey line where it will stand. */
export const Name = ({ children, level = 1 }: NameProps) => {
  const Heading = `h${level}` as const
  if (children !== undefined) return <Heading>{children}</Heading>
  return (
    <Heading class="unnamed">
      <span class="hidden">{say('nameComes')}</span>
    </Heading>
  )
}

interface TitleProps {
  readonly title: string | null
  /** Undefined until it is known. */
  readonly usualName: string | undefined
  readonly rename: (title: string | null) => Promise<unknown>
  readonly most?: number
  readonly level?: 1 | 3
}

interface EditorProps extends Pick<TitleProps, 'title' | 'usualName' | 'rename' | 'most'> {
  readonly close: () => void
}

const Editor = ({ title, usualName, rename, most = 64, close }: EditorProps) => {
  const save = async (next: string | null) => {
    await rename(next)
    close()
    tell(say('renamed'))
  }
  return (
    <div class="card">
      <Form send={({ title: next }) => save(next?.trim() || null)} submit={say('save')}>
        <Field
          name="title"
          label={say('titleLabel')}
          hint={usualName && say('titleHint', { name: usualName })}
        >
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

/** A name that is changed where it stands. */
export const Title = ({ level, ...rest }: TitleProps) => {
  const isEdited = useSignal(false)
  const name = rest.title ?? rest.usualName
  if (isEdited.value)
    return (
      <Editor
        {...rest}
        close={() => {
          isEdited.value = false
        }}
      />
    )
  return (
    <div class="row">
      <Name {...(level && { level })}>{name}</Name>
      {name !== undefined && (
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
      )}
    </div>
  )
}
