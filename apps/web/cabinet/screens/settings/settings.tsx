import { useMemo } from 'preact/hooks'
import { Act } from '../../../kit/act.tsx'
import { Copyable } from '../../../kit/copy.tsx'
import { Facts } from '../../../kit/fold.tsx'
import { FoldedPart, later } from '../../../kit/later.tsx'
import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { to } from '../../paths.ts'
import { Support } from '../../support/support.tsx'
import { Look } from './look.tsx'
import { leave } from './sign-out.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const entry = () => import('./entry/entry.ts')
const keys = () => import('./keys/keys.ts')
const leaving = () => import('./leave/leave.ts')

const Reminders = later(() => import('./reminders/reminders.tsx').then((part) => part.Reminders))
const Ways = later(() => entry().then((part) => part.Ways))
const Device = later(() => entry().then((part) => part.Device))
const Sessions = later(() => entry().then((part) => part.Sessions))
const Link = later(() => keys().then((part) => part.Link))
const ApiKeys = later(() => keys().then((part) => part.ApiKeys))
const Transfer = later(() => leaving().then((part) => part.Transfer))
const Data = later(() => leaving().then((part) => part.Data))

/** Other pages, as rows that are pressed whole. */
const links = [
  ['devices', 'devicesText', to('/devices')],
  ['subscriptions', 'subscriptionsText', to('/subscriptions')],
  ['keys', 'keysText', to('/keys')],
  ['code', 'codeText', to('/gift')],
  ['notifications', 'notificationsText', to('/notifications')],
] as const

const Account = () => {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  return (
    <Card title={say('account')}>
      <Shown of={profile} lines={1}>
        {({ email, id }) => (
          <Facts
            rows={[
              [say('email'), email ?? say('noEmail')],
              [say('number'), String(id)],
            ]}
          />
        )}
      </Shown>
      <Act run={() => api.logout().then(leave)}>{say('signOut')}</Act>
    </Card>
  )
}

const Pages = () => (
  <nav class="card pages" aria-label={say('title')}>
    {links.map(([name, text, path]) => (
      <a key={name} href={path}>
        <b>{say(name)}</b>
        <span class="small">{say(text)}</span>
      </a>
    ))}
  </nav>
)

const Mirrors = () =>
  page.mirrors.length === 0 ? null : (
    <FoldedPart title={say('mirrors')} isTitle>
      {() => (
        <>
          <p>{say('mirrorsText')}</p>
          {page.mirrors.map((address) => (
            <Copyable key={address} text={address} />
          ))}
        </>
      )}
    </FoldedPart>
  )

const Help = () =>
  page.supportUrl === null && !page.hasRules ? null : (
    <Card title={say('help')}>
      <div class="acts">
        <Support isButton />
        {page.hasRules && (
          <a class="button" href={to('/rules')}>
            {say('rules')}
          </a>
        )}
      </div>
    </Card>
  )

/**
 * Everything about the account itself, what is used most first; each section is read when it is opened. Whoever comes back
 * from linking a way to sign in finds that section open, and it takes what they came back with.
 */
export default function Settings() {
  const isBack = useMemo(() => /sign_in_|tgAuthResult/.test(location.hash), [])
  return (
    <>
      <h1>{say('title')}</h1>
      <Pages />
      <div class="card folds">
        <Look />
        <FoldedPart title={say('reminders')} place="reminders" isTitle>
          {() => <Reminders />}
        </FoldedPart>
      </div>
      <div class="card folds">
        <FoldedPart title={say('device')} isTitle>
          {() => <Device />}
        </FoldedPart>
        <FoldedPart title={say('ways')} isOpen={isBack} isTitle>
          {() => <Ways />}
        </FoldedPart>
        <FoldedPart title={say('sessions')} isTitle>
          {() => <Sessions />}
        </FoldedPart>
      </div>
      <div class="card folds">
        <FoldedPart title={say('link')} place="link" isTitle>
          {() => <Link />}
        </FoldedPart>
        <FoldedPart title={say('apiKeys')} isTitle>
          {() => <ApiKeys />}
        </FoldedPart>
        <Mirrors />
      </div>
      <div class="card folds">
        <FoldedPart title={say('transfer')} isTitle>
          {() => <Transfer />}
        </FoldedPart>
        <FoldedPart title={say('data')} isTitle>
          {() => <Data />}
        </FoldedPart>
      </div>
      <Help />
      <Account />
    </>
  )
}
