import { Copyable } from '../../kit/copy.tsx'
import { Fold } from '../../kit/fold.tsx'
import { Badge } from '../../kit/look.tsx'
import { sayIn } from '../../lib/language.ts'
import type { Delay } from './delays.ts'
import { flagOf } from './protocols.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface Place {
  readonly code: string
  readonly title: string
  readonly description: string
}

/** How a location stands in a list to choose from. */
export const placeTitle = ({ code, title }: Place, { isNearest }: Delay) => (
  <>
    {flagOf(code)} {title} {isNearest && <Badge tone="good">{say('nearest')}</Badge>}
  </>
)

export const placeText = ({ description }: Place, { ms }: Delay, free?: string) => {
  const facts = [free, ms !== undefined && say('delay', { ms: String(ms) })].filter(Boolean).join(' · ')
  return (
    <>
      {description}
      {description && facts && <br />}
      {facts}
    </>
  )
}

/** What the figures are, and how to get better ones. */
export const AboutDelay = ({
  isShown,
  address,
}: {
  readonly isShown: boolean
  readonly address: string | null | undefined
}) => (
  <>
    {isShown && <p class="small">{say('delayHow')}</p>}
    {address && (
      <Fold title={say('measure')}>
        <p class="small">{say('measureText')}</p>
        <Copyable text={address} label={say('copyAddress')} />
      </Fold>
    )}
  </>
)
