import { Act } from '../../../kit/act.tsx'
import { Confirmed } from '../../../kit/dialog.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { SallyportError } from '../../../lib/send.ts'
import { api } from '../../api.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Session = Awaited<ReturnType<typeof api.listOperatorSessions>>[number]

/** One that has ended meanwhile is as good as ended. */
const end = async (id: string): Promise<void> => {
  try {
    await api.endOperatorSession({ params: { id } })
  } catch (error) {
    if (!(error instanceof SallyportError && error.statusCode === 404)) throw error
  }
}

interface OneProps {
  readonly session: Session
  readonly endIt: () => Promise<void>
}

const One = ({ session, endIt }: OneProps) => {
  const { client, created_at, last_seen_at, is_current } = session
  const at = dateTime(created_at)
  return (
    <li>
      <div>
        {client ?? say('unknown')}
        <div class="small">
          {say('began', { at })}{' '}
          {is_current ? (
            <Badge tone="good">{say('here')}</Badge>
          ) : (
            say('lastSeen', { at: dateTime(last_seen_at) })
          )}
        </div>
      </div>
      {!is_current && (
        <Act run={endIt} label={say('endOf', { at })}>
          {say('end')}
        </Act>
      )}
    </li>
  )
}

/** Every browser at which one is signed in. */
export const Sessions = () => {
  const sessions = useResource('sessions', () => api.listOperatorSessions())
  const endAll = async (some: readonly Session[]) => {
    // One after the other: the service counts how often it is asked.
    for (const { id } of some) await end(id)
    tell(say('ended', { n: some.length }))
    await sessions.reload()
  }
  return (
    <Card title={say('sessions')}>
      <p>{say('aboutSessions')}</p>
      <Shown of={sessions} lines={1}>
        {(rows) => {
          const others = rows.filter(({ is_current }) => !is_current)
          return (
            <>
              <ul class="list">
                {rows.map((session) => (
                  <One key={session.id} session={session} endIt={() => endAll([session])} />
                ))}
              </ul>
              {others.length > 1 && (
                <div class="acts">
                  <Confirmed title={say('endAllTitle')} yes={say('endAll')} run={() => endAll(others)}>
                    <p>{say('endAllText', { n: others.length })}</p>
                  </Confirmed>
                </div>
              )}
            </>
          )
        }}
      </Shown>
    </Card>
  )
}
