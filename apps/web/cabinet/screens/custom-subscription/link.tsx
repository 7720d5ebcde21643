import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Copyable } from '../../../kit/copy.tsx'
import { Card } from '../../../kit/look.tsx'
import { api } from '../../../lib/api.ts'
import { page } from '../../../lib/page.ts'
import { Loaded, Opening } from '../../access/opening.tsx'
import { to } from '../../paths.ts'
import type { Subscription } from './order/entry.ts'
import { say } from './say.ts'

const loadQr = () => import('../../../kit/qr.tsx').then(({ Qr }) => ({ default: Qr }))

/** For one app alone, which opens it and shows it to nobody. */
const Encrypted = ({ id }: { readonly id: number }) => {
  const link = useSignal<string | undefined>(undefined)
  return (
    <>
      <p>{say('happText')}</p>
      <Act
        run={async () => {
          link.value = await api.showEncryptedLink({ params: { id } })
        }}
      >
        {say(link.value === undefined ? 'happGet' : 'happAgain')}
      </Act>
      <p class="small">{say('happOften')}</p>
      {link.value !== undefined && <Copyable text={link.value} label={say('happCopy')} />}
    </>
  )
}

export const Link = ({
  subscription: { id, subscription_key: key },
}: {
  readonly subscription: Subscription
}) => {
  const address = `${page.origin || location.origin}/sub/${key}`
  return (
    <Card title={say('link')}>
      <a class="button p" href={`${to('/connect')}?for=${id}`}>
        {say('connect')}
      </a>
      <Copyable text={address} label={say('copyLink')} />
      <p class="small">{say('secret')}</p>
      <Opening title={say('qr')}>{() => <Loaded load={loadQr} props={{ text: address }} />}</Opening>
      <Opening title={say('happ')}>{() => <Encrypted key={key} id={id} />}</Opening>
    </Card>
  )
}
