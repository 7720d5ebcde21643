import { Fold } from '../../../kit/fold.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { language, sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { type Check, Repair } from './repair.tsx'
import type { UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = { ok: 'good', problem: 'bad', unknown: 'dim' } as const
const textOf = ({ text_ru, text_en }: Check): string => (language === 'ru' ? text_ru : text_en)

/** Why it does not work for them: the first problem is the reason, and all that was looked at is behind it. */
export const Diagnosis = ({ user, of }: UserProps) => {
  const { id } = user
  const checks = useResource(`diagnosis/${id}`, () => api.diagnoseUser({ params: { id } }))
  /** What was repaired is looked at again. */
  const reload = async () => {
    await Promise.all([of.reload(), checks.reload()])
  }
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
                  <Repair check={reason} user={user} of={{ ...of, reload }} />
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
                        <Repair check={check} user={user} of={{ ...of, reload }} />
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
