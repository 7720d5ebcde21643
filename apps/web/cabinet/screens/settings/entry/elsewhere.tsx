import { Act } from '../../../../kit/act.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { telegramLoginAddress } from '../../../../lib/entry/telegram-login.ts'
import { date } from '../../../../lib/format.ts'
import { isInTelegram } from '../../../../lib/outside.ts'
import { useResource } from '../../../../lib/resource.ts'
import { to } from '../../../paths.ts'
import { beginLinking } from './linked.ts'
import { Remove } from './remove.tsx'
import { say } from './say.ts'

type Identity = Awaited<ReturnType<typeof api.listIdentities>>[number]

interface ElsewhereProps {
  readonly linked: readonly Identity[]
  readonly isLast: boolean
  readonly onChange: (linked: Identity[]) => void
}

interface Way {
  readonly name: string
  readonly title: string
  /** Leads away; this page is come back to. */
  readonly go: () => Promise<void>
}

const goToProvider = async (provider: string): Promise<void> => {
  const { url } = await api.startOauth({
    params: { provider },
    body: { return_to: to('/settings'), link: true },
  })
  location.assign(url)
}

const goToTelegram = async (botId: number): Promise<void> =>
  location.assign(telegramLoginAddress(botId, location.origin, `${to('/settings')}?link=${beginLinking()}`))

/** Sign-ins elsewhere refuse to be shown in windows of other apps. */
const useWays = (linked: readonly Identity[]): Way[] => {
  const methods = useResource('sign-in-methods', () => api.listSignInMethods()).data.value
  if (!methods || isInTelegram()) return []
  const botId = methods.telegram_bot_id
  const telegram =
    botId === null ? [] : [{ name: 'telegram', title: 'Telegram', go: () => goToTelegram(botId) }]
  const providers = methods.oauth.map(({ provider, title }) => ({
    name: provider,
    title,
    go: () => goToProvider(provider),
  }))
  return [...telegram, ...providers].filter(({ name }) => linked.every(({ provider }) => provider !== name))
}

export const Elsewhere = ({ linked, isLast, onChange }: ElsewhereProps) => {
  const ways = useWays(linked)
  const unlink = async ({ id }: Identity) => {
    await api.deleteIdentity({ params: { id } })
    onChange(linked.filter((one) => one.id !== id))
    tell(say('unlinked'))
  }
  if (linked.length === 0 && ways.length === 0) return null
  return (
    <section class="part">
      <h3>{say('elsewhere')}</h3>
      <ul class="list">
        {linked.map((one) => (
          <li key={one.id}>
            <div>
              <b>{one.title}</b>
              <p class="small">{say('created', { date: date(one.created_at) })}</p>
              {isLast && <p class="small">{say('lastWay')}</p>}
            </div>
            <Remove
              text={say('unlink')}
              title={say('unlinkOne', { title: one.title })}
              isLast={isLast}
              run={() => unlink(one)}
            >
              <p>{say('unlinkText', { title: one.title })}</p>
            </Remove>
          </li>
        ))}
      </ul>
      {ways.map(({ name, title, go }) => (
        <Act key={name} run={go}>
          {say('link', { title })}
        </Act>
      ))}
    </section>
  )
}
