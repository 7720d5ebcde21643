import { Told } from '../../../kit/problem.tsx'
import { sayIn } from '../../../lib/language.ts'
import { SallyportError } from '../../api.ts'
import type { ServerProps, ServerRow } from './server-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Writes a change of the row that was seen; where somebody was quicker, theirs is shown, and it is for the operator to do it again. */
export const write = async (of: ServerProps['of'], send: () => Promise<ServerRow>): Promise<void> => {
  try {
    of.set(await send())
  } catch (error) {
    const row = error instanceof SallyportError ? (error.data as ServerRow | null | undefined) : undefined
    if (typeof row?.version !== 'number') throw error
    of.set(row)
    throw new Told(say('changedMeanwhile'))
  }
}
