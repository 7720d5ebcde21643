import { NoAnswer, SallyportError } from '../lib/send.ts'
import { say } from './say.ts'

/** What went wrong, for people, and what to do next. */

/** What a screen says better than the words below. */
export class Told extends Error {}

/** By the number of the error; what first screens never meet is added by what comes after them. */
export const sentences: Record<number, () => string> = {
  1: () => say('notFound'),
  2: () => say('ended'),
  40: () => say('notFound'),
}

export interface Trouble {
  readonly text: string
  /** In the service's own words: in the language of the page, or English where it has no others. */
  readonly details: readonly string[]
}

const oftenText = (seconds: number): string =>
  seconds <= 90 ? say('often', { n: seconds }) : say('oftenMinutes', { n: Math.ceil(seconds / 60) })

/** Of a problem in the service's words. */
export const langOf = (problem: string) => (/[а-я]/i.test(problem) ? undefined : 'en')

/** Programs are told the name of a field, and then what of it; people are not shown names that no label has. */
const alone = (problem: string): string =>
  problem.replace(/^(is|has|was|must|cannot|does|needs|requires|belongs|leads|came|names) /, 'It $&')

export const troubleOf = (error: unknown, isMarked: (path: string) => boolean = () => false): Trouble => {
  if (error instanceof Told) return { text: error.message, details: [] }
  if (error instanceof NoAnswer) return { text: say('noAnswer'), details: [] }
  if (!(error instanceof SallyportError) || error.statusCode >= 500)
    return { text: say('failed'), details: [] }
  if (error.statusCode === 429) return { text: oftenText(error.retryAfterSeconds ?? 1), details: [] }
  const known = sentences[error.errorCode]?.()
  const unmarked = error.details.filter(({ path }) => !isMarked(path))
  if (!known && error.details.length > 0 && unmarked.length === 0) return { text: say('marked'), details: [] }
  const details = unmarked.map(({ problem }) => alone(problem))
  if (known) return { text: known, details: error.statusCode === 404 ? [] : details }
  return { text: say(error.statusCode === 409 ? 'conflict' : 'refused'), details }
}

interface ProblemProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
  /** What was sent spends: a second try says that it happens once. */
  readonly isSpending?: boolean
  /** Whether what is wrong with it stands beside it already. */
  readonly isMarked?: (path: string) => boolean
}

export const Problem = ({ error, onRetry, isSpending = false, isMarked }: ProblemProps) => {
  const { text, details } = troubleOf(error, isMarked)
  const isSafe =
    isSpending && (error instanceof NoAnswer || (error instanceof SallyportError && error.statusCode >= 500))
  return (
    <div class="problem" role="alert">
      <p>{text}</p>
      {details.map((detail) => (
        <p key={detail} class="small" lang={langOf(detail)}>
          {detail}
        </p>
      ))}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {say('retry')}
        </button>
      )}
      {isSafe && <p class="small">{say('nothingTwice')}</p>}
    </div>
  )
}
