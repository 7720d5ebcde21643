import { Confirm } from '../../../kit/dialog.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Badge, Bar } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime, number } from '../../../lib/format.ts'
import { language, sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import type { Chosen } from '../../kit/chosen.ts'
import { audienceOf, type Broadcast, hasBegun } from './broadcast.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const longest = 60
const shortened = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest).trim()}…` : text

interface RowProps {
  readonly row: Broadcast
}

/** In the operator's language, and both when it is opened. */
export const Said = ({ row: { content_ru, content_en } }: RowProps) => (
  <Fold title={shortened(language === 'ru' ? content_ru : content_en)}>
    <p class="said" lang="ru">
      {content_ru}
    </p>
    <p class="said" lang="en">
      {content_en}
    </p>
  </Fold>
)

export const Audience = ({ row }: RowProps) => {
  const [title, href] = audienceOf(row)
  return <a href={href}>{title}</a>
}

const tones = { scheduled: 'dim', sending: 'warn', done: 'good', stopped: 'dim' } as const

export const Progress = ({ row }: RowProps) => {
  const { state, total, sent, failed } = row
  const isStarting = state === 'scheduled' && hasBegun(row)
  return (
    <>
      <Badge tone={isStarting ? 'warn' : tones[state]}>{say(isStarting ? 'starting' : state)}</Badge>
      {state === 'scheduled' ? (
        <span class="small">{say('isFor', { n: total })}</span>
      ) : (
        <Bar
          part={total === 0 ? 1 : (sent + failed) / total}
          label={say('progress', { sent: number(sent), total: number(total) })}
        />
      )}
      {failed > 0 && <span class="small">{say('gone', { n: failed })}</span>}
    </>
  )
}

export const When = ({ row: { send_at, created_at, ended_at } }: RowProps) => (
  <>
    {dateTime(send_at)}
    {send_at !== created_at && <span class="small">{say('made', { at: dateTime(created_at) })}</span>}
    {ended_at !== null && <span class="small">{say('ended_at', { at: dateTime(ended_at) })}</span>}
  </>
)

interface StopProps {
  readonly of: Chosen<Broadcast>
  readonly onStopped: () => Promise<void>
}

export const Stop = ({ of: { row, isOpen }, onStopped }: StopProps) => {
  if (!row) return null
  const { id, sent } = row
  const stop = async () => {
    await api.stopBroadcast({ params: { id } })
    tell(say('stoppedNow'))
    await onStopped()
  }
  return (
    <Confirm isOpen={isOpen} title={say('stopTitle')} yes={say('stopNow')} run={stop}>
      <p>{sent === 0 ? say('stopNothing') : say('stopText', { n: sent })}</p>
    </Confirm>
  )
}
