import { useSignal } from '@preact/signals'
import { Act } from '../../../../kit/act.tsx'
import { Confirm } from '../../../../kit/dialog.tsx'
import { Badge } from '../../../../kit/look.tsx'
import { Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { date } from '../../../../lib/format.ts'
import { useResource } from '../../../../lib/resource.ts'
import { leave } from '../sign-out.ts'
import { say } from './say.ts'

type Session = Awaited<ReturnType<typeof api.listSessions>>[number]

const Line = ({ session, onEnd }: { readonly session: Session; readonly onEnd: () => Promise<unknown> }) => {
  const client = session.client ?? say('unknownClient')
  const times = [
    say('signedIn', { date: date(session.created_at) }),
    say('lastUsed', { date: date(session.last_used_at) }),
  ]
  return (
    <li class="tall">
      <div class="named">
        <b>{client}</b>
        <p class="small">{times.join(' · ')}</p>
      </div>
      {session.is_current ? (
        <Badge tone="good">{say('current')}</Badge>
      ) : (
        <div class="act">
          <Act run={onEnd} label={say('endOne', { client })}>
            {say('end')}
          </Act>
        </div>
      )}
    </li>
  )
}

export const Sessions = () => {
  const sessions = useResource('sessions', () => api.listSessions())
  const isAsked = useSignal(false)
  const end = async ({ id }: Session) => {
    await api.endSession({ params: { id } })
    sessions.set((sessions.data.value ?? []).filter((one) => one.id !== id))
    tell(say('ended'))
  }
  return (
    <>
      <Shown of={sessions}>
        {(all) => (
          <>
            <p class="small">{say(all.length > 1 ? 'sessionsText' : 'onlyThis')}</p>
            <ul class="list">
              {all.map((session) => (
                <Line key={session.id} session={session} onEnd={() => end(session)} />
              ))}
            </ul>
          </>
        )}
      </Shown>
      <div class="acts">
        <Act run={() => api.logout().then(leave)}>{say('signOut')}</Act>
        <button
          type="button"
          class="danger"
          onClick={() => {
            isAsked.value = true
          }}
        >
          {say('everywhere')}
        </button>
      </div>
      <Confirm
        isOpen={isAsked}
        title={say('everywhereTitle')}
        yes={say('everywhere')}
        run={() => api.logoutAll().then(leave)}
      >
        <p>{say('everywhereText')}</p>
      </Confirm>
    </>
  )
}
