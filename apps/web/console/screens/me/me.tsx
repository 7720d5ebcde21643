import { startRegistration } from '@simplewebauthn/browser'
import { Act } from '../../../kit/act.tsx'
import { Confirmed } from '../../../kit/dialog.tsx'
import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { type Me, may, readMe } from '../../frame/me.ts'
import { Tokens } from '../../tokens/tokens.tsx'
import { Sessions } from './sessions.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

type Creation = Parameters<typeof startRegistration>[0]['optionsJSON']
type Attestation = Parameters<typeof api.verifyOperatorPasskey>[0]['body']

const add = async (): Promise<void> => {
  const optionsJSON = (await api.startOperatorPasskey()) as Creation
  const body = await startRegistration({ optionsJSON })
  await api.verifyOperatorPasskey({ body: body as Attestation })
  tell(say('added'))
  await readMe().reload()
}

const remove = async (id: number): Promise<void> => {
  await api.deleteOperatorPasskey({ params: { id } })
  tell(say('removed'))
  await readMe().reload()
}

const Passkeys = ({ me }: { readonly me: Me }) => (
  <Card title={say('passkeys')}>
    <p>{say(me.passkeys.length === 0 ? 'noPasskey' : 'aboutPasskeys')}</p>
    <ul class="list">
      {me.passkeys.map(({ id, title, created_at }) => (
        <li key={id}>
          <div>
            {title}
            <div class="small">{say('since', { at: dateTime(created_at) })}</div>
          </div>
          {me.passkeys.length > 1 && (
            <Confirmed title={say('removeTitle', { title })} yes={say('remove')} run={() => remove(id)}>
              <p>{say('removeText')}</p>
            </Confirmed>
          )}
        </li>
      ))}
    </ul>
    <div class="acts">
      <Act run={add} {...(me.passkeys.length === 0 && { kind: 'p' as const })}>
        {say('add')}
      </Act>
    </div>
  </Card>
)

/** Who one is here, and how one comes in. */
const MePage = () => (
  <>
    <h1>{say('title')}</h1>
    <Shown of={readMe()}>
      {(me) => (
        <div class="columns">
          <div class="stack">
            <Card title={me.name}>
              <Facts
                rows={[
                  [say('role'), say(me.role)],
                  [say('mail'), me.email ?? '–'],
                  [say('signedIn'), me.signed_in_at === null ? '–' : dateTime(me.signed_in_at)],
                  [say('ends'), me.session_expires_at === null ? '–' : dateTime(me.session_expires_at)],
                  [say('proved'), me.proved_until === null ? say('notProved') : dateTime(me.proved_until)],
                ]}
              />
            </Card>
            <Sessions />
          </div>
          <div class="stack">
            <Passkeys me={me} />
            {may('listOperatorTokens') && <Tokens owner={{ id: me.id, role: me.role, isOwn: true }} />}
          </div>
        </div>
      )}
    </Shown>
  </>
)

export default MePage
