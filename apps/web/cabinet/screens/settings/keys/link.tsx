import { Copyable } from '../../../../kit/copy.tsx'
import { Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { forgetRead, useResource } from '../../../../lib/resource.ts'
import { OtherAddresses } from '../../../addresses/addresses.tsx'
import { subscriptionAddress } from '../../../addresses/subscription-address.ts'
import { to } from '../../../paths.ts'
import { Asked } from '../asked.tsx'
import { say } from './say.ts'

const Lines = ({ of }: { readonly of: readonly string[] }) => (
  <ul class="plain">
    {of.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

/** Whatever was read of connections shows what no longer works. */
const forgetConnections = (): void =>
  forgetRead('configs', 'options', 'clouds', 'devices', 'custom-subscriptions', 'subscription')

const renewAll = async () => {
  const n = await api.resetCredentials()
  forgetConnections()
  tell(say('keysReplaced', { n }))
}

/** The link of the account, and what to do when somebody else knows it. */
export const Link = () => {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  const replace = async () => {
    const subscription_key = await api.resetSubscriptionLink()
    const known = profile.data.value
    if (known) profile.set({ ...known, subscription_key })
    forgetConnections()
    tell(say('linkReplaced'))
  }
  return (
    <>
      <p class="small">{say('linkText')}</p>
      <Shown of={profile} lines={1}>
        {({ subscription_key: key }) =>
          key === null ? (
            <p>{say('noLink')}</p>
          ) : (
            <>
              <Copyable text={subscriptionAddress(key)} label={say('copyLink')} />
              <OtherAddresses subscriptionKey={key} />
            </>
          )
        }
      </Shown>
      <a href={to('/connect')}>{say('toConnect')}</a>
      <section class="part">
        <h3>{say('newLink')}</h3>
        <p class="small">{say('newLinkText')}</p>
        <Asked text={say('replaceIt')} title={say('newLinkTitle')} yes={say('replaceLink')} run={replace}>
          <Lines of={[say('dies1'), say('dies2'), say('dies3'), say('stays')]} />
        </Asked>
      </section>
      <section class="part">
        <h3>{say('credentials')}</h3>
        <p class="small">{say('credentialsText')}</p>
        <Asked
          text={say('replaceKeys')}
          title={say('credentialsTitle')}
          yes={say('replaceKeys')}
          run={renewAll}
        >
          <Lines of={[say('renewed1'), say('renewed2'), say('renewed3')]} />
        </Asked>
      </section>
    </>
  )
}
