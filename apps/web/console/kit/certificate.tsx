import { Badge } from '../../kit/look.tsx'
import { date } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { now } from '../../lib/page.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const daySeconds = 86_400

/** One that ends within three weeks is told by shape and word. */
export const CertificateDays = ({ at }: { readonly at: number }) => {
  const days = Math.floor((at - now()) / daySeconds)
  const tone = days < 7 ? 'bad' : days < 21 ? 'warn' : 'good'
  return (
    <>
      <Badge tone={tone}>{say('daysLeft', { n: Math.max(0, days) })}</Badge>{' '}
      <span class="small">{date(at)}</span>
    </>
  )
}
