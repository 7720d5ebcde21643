import type { PaidOption, PaidOptionConfig } from '@sallyport/contract/customer/paid-options/shapes'
import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { Connect } from '../../access/connect.tsx'
import { optionAccess } from '../../access/owners/option.ts'
import { Parts } from '../../access/parts.tsx'
import { Away, Online } from '../../access/state.tsx'
import { leftText } from '../../access/term.tsx'
import { Title } from '../../access/title.tsx'
import { words as accessWords } from '../../access/words.en.ts'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { words as vpnWords } from '../../vpn/words.en.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayAccess = sayIn(accessWords)
const sayVpn = sayIn(vpnWords)

interface OneProps {
  readonly option: PaidOption
  readonly config: PaidOptionConfig
  readonly set: (config: PaidOptionConfig) => void
  readonly reload: () => Promise<void>
}

/** One's own moves; the others are the service's to mend. */
const Down = ({ isAdded }: { readonly isAdded: boolean }) =>
  isAdded ? <Away /> : <p class="notice">{sayAccess('offlineWait')}</p>

const One = ({ option, config, set, reload }: OneProps) => {
  const { option_id: id, status, expires_at: expiresAt } = option
  const access = optionAccess(id, config, { set, reload })
  return (
    <>
      <Title title={access.title} usualName={access.usualName} rename={access.rename} />
      <Card>
        <Facts
          rows={[
            ...(status === 'active'
              ? ([[sayAccess('state'), <Online key="state" isOnline={config.is_online} />]] as const)
              : []),
            [sayAccess('protocol'), sayVpn(config.protocol)],
            [sayAccess('until'), leftText(expiresAt)],
          ]}
        />
        {status !== 'active' && (
          <p class="notice">
            {say('notNow')} <a href={to('/options/:id', { id })}>{say('why')}</a>
          </p>
        )}
        {status === 'active' && config.is_online === false && <Down isAdded={config.is_added} />}
        {!config.is_added && (
          <p class="small">
            {say('follows')} <a href={`${to('/options/:id', { id })}#add`}>{say('addOwn')}</a>.
          </p>
        )}
      </Card>
      {status === 'active' && <Connect access={access} />}
      <Parts access={access} />
    </>
  )
}

const Missing = ({ id, hasOption }: { readonly id: number; readonly hasOption: boolean }) => (
  <>
    <h1>{say('title')}</h1>
    <Empty title={say(hasOption ? 'missing' : 'notNow')}>
      <a class="button p" href={to('/options/:id', { id })}>
        {say('toOption')}
      </a>
    </Empty>
  </>
)

export default function OptionConfig({ params }: ScreenProps) {
  const [id, configId] = [Number(params.id), Number(params.configId)]
  const options = useResource('options', () => api.listPaidOptions(), { keep: true })
  return (
    <>
      <a class="back" href={to('/options/:id', { id })}>
        {say('back')}
      </a>
      <Shown of={options} heading={say('title')}>
        {(all) => {
          const option = all.find((one) => one.option_id === id)
          const config = option?.configs.find((one) => one.id === configId)
          if (!option || !config) return <Missing id={id} hasOption={option !== undefined} />
          const set = (changed: PaidOptionConfig) => {
            const configs = option.configs.map((one) => (one.id === changed.id ? changed : one))
            options.set(all.map((one) => (one === option ? { ...option, configs } : one)))
            forgetRead('bridge-ends')
          }
          return <One option={option} config={config} set={set} reload={options.reload} />
        }}
      </Shown>
    </>
  )
}
