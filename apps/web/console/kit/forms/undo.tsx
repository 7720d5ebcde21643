import { Act } from '../../../kit/act.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { words } from '../words.en.ts'

const say = sayIn(words)

/** Long enough to read it, and to reach the button by keys. */
const lastsMs = 20_000

/** Says what has been done, with a button that takes it back. */
export const tellUndoable = (text: string, undo: () => Promise<void>): void => {
  const run = async () => {
    await undo()
    end()
    tell(say('undone'))
  }
  const end = tell(
    <>
      <span>{text}</span>{' '}
      <Act kind="link" run={run}>
        {say('undo')}
      </Act>
    </>,
    lastsMs,
  )
}
