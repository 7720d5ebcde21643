import type { PaidOption, PaidOptionConfig } from '@sallyport/contract/customer/paid-options/shapes'
import { Badge } from '../../../kit/look.tsx'
import { Empty } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { Online } from '../../access/state.tsx'
import { Title } from '../../access/title.tsx'
import { to } from '../../paths.ts'
import { words as vpnWords } from '../../vpn/words.en.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayVpn = sayIn(vpnWords)

interface OneProps {
  readonly option: PaidOption
  readonly config: PaidOptionConfig
  readonly onChanged: (config: PaidOptionConfig) => void
}

const One = ({ option: { option_id: id, status }, config, onChanged }: OneProps) => {
  const { index, custom_title: title, original_title: usual, id: configId } = config
  const rename = async (next: string | null) => {
    const params = { id, index }
    if (next === null) await api.deleteIndexTitle({ params })
    else await api.changeIndexTitle({ params, body: { title: next } })
    onChanged({ ...config, custom_title: next, title: next ?? usual })
  }
  return (
    <li class="tall">
      <div class="named">
        <Title title={title} usualName={usual} rename={rename} level={3} />
        <p class="small">
          {sayVpn(config.protocol)} {config.is_added && <Badge tone="dim">{say('own')}</Badge>}{' '}
          {status === 'active' && <Online isOnline={config.is_online} />}
        </p>
      </div>
      <a
        class="button"
        href={to('/options/:id/configs/:configId', { id, configId })}
        aria-label={say('openIt', { name: title ?? usual })}
      >
        {say('open')}
      </a>
    </li>
  )
}

/** In the order that apps show them. */
export const Configs = ({
  option,
  onChanged,
}: {
  readonly option: PaidOption
  readonly onChanged: (option: PaidOption) => void
}) => {
  const { configs } = option
  if (configs.length === 0) return <Empty title={say('noConfigs')} />
  const change = (changed: PaidOptionConfig) =>
    onChanged({ ...option, configs: configs.map((one) => (one.id === changed.id ? changed : one)) })
  return (
    <ul class="list">
      {configs.map((config) => (
        <One key={config.id} option={option} config={config} onChanged={change} />
      ))}
    </ul>
  )
}
