import { date } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { now } from '../../lib/page.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const day = 86_400

/** How long it lasts, in words. */
export const leftText = (expiresAt: number): string => {
  const left = expiresAt - now()
  if (left <= 0) return say('endedAt', { date: date(expiresAt) })
  const at = date(expiresAt)
  return left >= day
    ? say('leftDays', { date: at, n: Math.floor(left / day) })
    : say('leftHours', { date: at, n: Math.max(1, Math.ceil(left / 3600)) })
}

export const isEnded = (expiresAt: number): boolean => expiresAt <= now()

interface EndedProps {
  readonly expiresAt: number
  /** How long it can be brought back. */
  readonly graceDays: number
  readonly renewAt: string
}

/** What ended, until when it can be brought back, and how. */
export const Ended = ({ expiresAt, graceDays, renewAt }: EndedProps) => (
  <div class="problem" role="status">
    <p>{say('ended', { date: date(expiresAt), until: date(expiresAt + graceDays * day) })}</p>
    <a class="button p" href={renewAt}>
      {say('renew')}
    </a>
  </div>
)
