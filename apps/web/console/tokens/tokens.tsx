import { useSignal } from '@preact/signals'
import { Confirmed } from '../../kit/dialog.tsx'
import { Fold } from '../../kit/fold.tsx'
import { Card } from '../../kit/look.tsx'
import { Shown } from '../../kit/shown.tsx'
import { tell } from '../../kit/toast.tsx'
import { date, dateTime } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { useResource } from '../../lib/resource.ts'
import { api } from '../api.ts'
import { may } from '../frame/me.ts'
import { type Secret, ShownOnce } from '../kit/shown-once.tsx'
import { NewToken } from './new-token.tsx'
import type { TokenOwner } from './owner.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Token = Awaited<ReturnType<typeof api.listOperatorTokens>>[number]

const Rights = ({ operations }: Pick<Token, 'operations'>) => {
  if (operations === null) return <div class="small">{say('mayAll')}</div>
  return (
    <Fold title={<span class="small">{say('maySome', { n: operations.length })}</span>}>
      <p class="small" lang="en">
        {operations.join(', ')}
      </p>
    </Fold>
  )
}

interface OneProps {
  readonly token: Token
  readonly revoke: () => Promise<void>
}

const One = ({ token, revoke }: OneProps) => {
  const { title, prefix, created_at, expires_at, last_used_at, operations } = token
  const times = [
    say('since', { at: date(created_at) }),
    expires_at === null ? say('forEver') : say('until', { at: date(expires_at) }),
    last_used_at === null ? say('neverUsed') : say('used', { at: dateTime(last_used_at) }),
  ]
  return (
    <li>
      <div>
        {title} <code class="small">slo_{prefix}…</code>
        <div class="small">{times.join(', ')}</div>
        <Rights operations={operations} />
      </div>
      {may('revokeOperatorToken') && (
        <Confirmed title={say('revokeTitle', { title })} yes={say('revoke')} run={revoke}>
          <p>{say('revokeText')}</p>
        </Confirmed>
      )}
    </li>
  )
}

/** What programs of an operator come with. */
export const Tokens = ({ owner }: { readonly owner: TokenOwner }) => {
  const { id, isOwn } = owner
  const tokens = useResource(`tokens/${id}`, () => api.listOperatorTokens({ params: { id } }))
  const made = useSignal<Secret | undefined>(undefined)
  const revoke = async (tokenId: number) => {
    await api.revokeOperatorToken({ params: { id, token_id: tokenId } })
    tell(say('revoked'))
    await tokens.reload()
  }
  const show = async (text: string) => {
    made.value = { text, about: say('madeText') }
    await tokens.reload()
  }
  return (
    <Card title={say('tokens')}>
      <p>{say(isOwn ? 'aboutOwn' : 'aboutTheirs')}</p>
      <Shown of={tokens} lines={1}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="small">{say('none')}</p>
          ) : (
            <ul class="list wraps">
              {rows.map((token) => (
                <One key={token.id} token={token} revoke={() => revoke(token.id)} />
              ))}
            </ul>
          )
        }
      </Shown>
      {may('createOperatorToken') && (
        <div class="acts">
          <NewToken owner={owner} onMade={show} />
        </div>
      )}
      <ShownOnce of={made} title={say('made')} />
    </Card>
  )
}
