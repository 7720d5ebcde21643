import { Act } from '../../../kit/act.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { language, sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Check = Awaited<ReturnType<typeof api.diagnoseUser>>[number]

const tones = { ok: 'good', problem: 'bad', unknown: 'dim' } as const
const textOf = ({ text_ru, text_en }: Check): string => (language === 'ru' ? text_ru : text_en)

/** What puts it right is done here where it needs nothing to be written; otherwise the place where it is done. */
const Repair = ({ check: { operation }, user, of }: { readonly check: Check } & UserProps) => {
  if (operation === 'blockUser' && may('blockUser')) {
    const open = async () => {
      await api.blockUser({ params: { id: user.id }, body: { is_blocked: false, version: user.version } })
      tell(say('opened'))
      await of.reload()
    }
    return <Act run={open}>{say('unblock')}</Act>
  }
  if (operation === 'changeTermDays' && may('changeTermDays'))
    return (
      <a class="button" href="#terms">
        {say('toTerms')}
      </a>
    )
  return null
}

/** Why it does not work for them: the first problem is the reason, and all that was looked at is behind it. */
export const Diagnosis = ({ user, of }: UserProps) => {
  const { id } = user
  const checks = useResource(`diagnosis/${id}`, () => api.diagnoseUser({ params: { id } }))
  return (
    <Card
      title={say('diagnosis')}
      side={
        <button type="button" class="link" onClick={() => void checks.reload()}>
          {say('lookAgain')}
        </button>
      }
    >
      <Shown of={checks} lines={2}>
        {(found) => {
          const reason = found.find(({ state }) => state === 'problem')
          return (
            <>
              {reason ? (
                <div class="problem">
                  <p>{textOf(reason)}</p>
                  <Repair check={reason} user={user} of={of} />
                </div>
              ) : (
                <p class="good-news">{say('allGood')}</p>
              )}
              <Fold title={say('allChecks')}>
                <ul class="list">
                  {found.map((check) => (
                    <li key={check.check}>
                      <div>
                        <Badge tone={tones[check.state]}>{say(check.check)}</Badge>
                        <p>{textOf(check)}</p>
                      </div>
                      {check !== reason && check.state === 'problem' && (
                        <Repair check={check} user={user} of={of} />
                      )}
                    </li>
                  ))}
                </ul>
              </Fold>
            </>
          )
        }}
      </Shown>
    </Card>
  )
}
