import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Act } from '../../../kit/act.tsx'
import { Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import type { Values } from '../../kit/forms/fields.tsx'
import { Meanwhile } from '../../kit/forms/meanwhile.tsx'
import { rowIn } from '../../kit/forms/versions.ts'
import { Raw } from '../../kit/raw.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** One long text that others may be changing as well: where somebody was quicker, both stand there and nothing is lost. */

interface Collision {
  readonly theirs: string
  readonly mine: string
  readonly version: number
}

interface EditTextProps {
  /** Of the field that holds it. */
  readonly name: string
  readonly text: string
  readonly version: number
  /** What a refusal shows of it. */
  readonly textOf: (row: Values) => string
  readonly send: (text: string, version: number) => Promise<unknown>
  /** Shows what is there now, in place of what was written. */
  readonly takeTheirs: () => Promise<unknown>
  readonly children: ComponentChildren
}

interface CollidedProps extends Pick<EditTextProps, 'send' | 'takeTheirs'> {
  readonly collision: Collision
}

const Collided = ({ collision, send, takeTheirs }: CollidedProps) => (
  <Meanwhile title={say('collidedTitle')} text={say('collidedText')}>
    <Raw label={say('theirs')} text={collision.theirs} />
    <div class="acts">
      <Act kind="p" run={() => send(collision.mine, collision.version)}>
        {say('keepMine')}
      </Act>
      <Act run={takeTheirs}>{say('takeTheirs')}</Act>
    </div>
  </Meanwhile>
)

export const EditText = ({ name, text, version, textOf, send, takeTheirs, children }: EditTextProps) => {
  const collision = useSignal<Collision | undefined>(undefined)
  const save = async (mine: string, seen: number): Promise<void> => {
    try {
      await send(mine, seen)
      collision.value = undefined
      tell(say('saved'))
    } catch (error) {
      const row = rowIn(error)
      if (!row) throw error
      const theirs = textOf(row)
      // The version counts everything about delivery; this text is as it was seen.
      if (theirs === text && row.version !== seen) return save(mine, row.version)
      collision.value = { theirs, mine, version: row.version }
    }
  }
  return (
    <>
      {collision.value && <Collided collision={collision.value} send={save} takeTheirs={takeTheirs} />}
      <Form send={({ [name]: mine = '' }) => save(mine, version)} submit={say('save')}>
        {children}
      </Form>
    </>
  )
}
