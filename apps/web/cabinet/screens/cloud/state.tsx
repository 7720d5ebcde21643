import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import type { ComponentChildren } from 'preact'
import { Copy } from '../../../kit/copy.tsx'
import { Facts } from '../../../kit/fold.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { api } from '../../../lib/api.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { AutoRenewal } from '../../access/renewal.tsx'
import { leftText } from '../../access/term.tsx'
import { useCloudPlace } from '../../owned/place.ts'
import { to } from '../../paths.ts'
import { Restart } from './restart.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)
const day = 86_400
export const graceDays = 3

interface StateProps {
  readonly cloud: CloudServer
  readonly onChanged: (cloud: CloudServer) => void
  readonly reload: () => Promise<void>
}

export const State = ({ cloud, onChanged, reload }: StateProps) => {
  const { id, status, url, is_online: isOnline, expires_at: expiresAt } = cloud
  const { place } = useCloudPlace(cloud)
  const tariffs = useResource('cloud-tariffs', () => api.listCloudTariffs(), { keep: true })
  const machine = tariffs.data.value?.find((tariff) => tariff.id === cloud.tariff_config_id)
  const isActive = status === 'active'
  const facts: (readonly [string, ComponentChildren])[] = [
    [
      say('state'),
      <Badge key="state" tone={isActive ? (isOnline ? 'good' : 'bad') : 'warn'}>
        {say(isActive ? (isOnline ? 'online' : 'offline') : 'preparing')}
      </Badge>,
    ],
    [say('address'), url ?? say('noAddress')],
    ...(place ? ([[say('place'), place]] as const) : []),
    ...(machine ? ([[say('machine'), `${machine.title}: ${machine.description}`]] as const) : []),
    [say('until'), leftText(expiresAt)],
  ]
  return (
    <Card>
      <Facts rows={facts} />
      {isActive && !isOnline && <p class="notice">{say('offlineText')}</p>}
      <div class="acts">
        {url && <Copy text={url} label={say('copyAddress')} />}
        <a class="button" href={to('/clouds/:id/renew', { id })}>
          {say('renew')}
        </a>
        {isActive && <Restart id={id} onBack={reload} />}
      </div>
      {machine && (
        <AutoRenewal
          of={cloud}
          methods={machine.payment_methods}
          save={(body) => api.switchCloudAutoRenewal({ params: { id }, body })}
          onSaved={(renewed) => onChanged({ ...cloud, ...renewed })}
        />
      )}
      <p class="small">{say('atEnd', { date: date(expiresAt), until: date(expiresAt + graceDays * day) })}</p>
    </Card>
  )
}
