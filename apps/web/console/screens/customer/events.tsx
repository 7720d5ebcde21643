import { Fold } from '../../../kit/fold.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { may } from '../../frame/me.ts'
import { asking, to } from '../../paths.ts'
import type { UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const told = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')

/** What happened to the account, and messages that wait to be read. */
export const Events = ({ user }: Pick<UserProps, 'user'>) => (
  <div class="columns">
    <Fold title={say('events')}>
      <ul class="list">
        {user.events.map(({ id, kind, details, created_at }) => (
          <li key={id}>
            <div>
              {kind}
              <div class="small">{told(details)}</div>
            </div>
            <span class="small">{dateTime(created_at)}</span>
          </li>
        ))}
      </ul>
    </Fold>
    {may('listAudit') && (
      <p>
        <a href={asking(to('/console/audit'), { subject: `user:${user.id}` })}>{say('allEvents')}</a>
      </p>
    )}
    <Fold title={say('unread', { n: `${user.notifications.length}` })}>
      <ul class="list">
        {user.notifications.map(({ id, content, created_at }) => (
          <li key={id}>
            <div>{content}</div>
            <span class="small">{dateTime(created_at)}</span>
          </li>
        ))}
      </ul>
    </Fold>
  </div>
)
