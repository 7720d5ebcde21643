import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { to } from '../../paths.ts'
import type { SettingsProps } from './settings-of.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Decided where subscriptions are: apps are called so, too. */
export const NameCard = ({ settings: { name, support_url } }: Pick<SettingsProps, 'settings'>) => (
  <Card title={say('nameTitle')}>
    <Facts
      rows={[
        [say('name'), name],
        [say('support'), support_url ?? '–'],
      ]}
    />
    <p class="small">
      {say('nameText')} <a href={to('/console/delivery')}>{say('toDelivery')}</a>
    </p>
  </Card>
)
