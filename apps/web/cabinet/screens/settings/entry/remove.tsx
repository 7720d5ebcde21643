import type { ComponentChildren } from 'preact'
import { Told } from '../../../../kit/problem.tsx'
import { SallyportError } from '../../../../lib/send.ts'
import { Asked } from '../asked.tsx'
import { say } from './say.ts'

interface RemoveProps {
  readonly text: string
  /** What is asked before. */
  readonly title: string
  readonly isLast: boolean
  readonly run: () => Promise<unknown>
  readonly children: ComponentChildren
}

const explained = (error: unknown): unknown =>
  error instanceof SallyportError && error.statusCode === 409 ? new Told(say('lastWay')) : error

/** The last way to sign in stays, and says why. */
export const Remove = ({ text, title, isLast, run, children }: RemoveProps) => {
  const remove = () =>
    run().catch((error) => {
      throw explained(error)
    })
  return (
    <Asked text={text} label={title} title={`${title}?`} yes={text} run={remove} disabled={isLast}>
      {children}
    </Asked>
  )
}
