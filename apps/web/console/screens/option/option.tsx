import { Act } from '../../../kit/act.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { type Option, useOptions, withRow } from '../../kit/catalogue/products.ts'
import { Sale } from '../../kit/catalogue/sale.tsx'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { type Seen, Tariffs } from '../../kit/tariffs/tariffs.tsx'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { About, Limits } from './about.tsx'
import type { OptionProps } from './option-props.ts'
import { Preview } from './preview.tsx'
import { Servers } from './servers/servers.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const Acts = ({ option: { id, is_active, version }, onSaved }: OptionProps) => {
  const turn = async () => {
    onSaved(await api.changeOption({ params: { id }, body: { is_active: !is_active, version } }))
    tell(say(is_active ? 'offNow' : 'onNow'))
  }
  return may('changeOption') ? (
    <div class="acts">
      <Act run={turn}>{say(is_active ? 'turnOff' : 'turnOn')}</Act>
    </div>
  ) : null
}

const seenIn = (data: unknown): Seen<Option['tariffs'][number]> | undefined => {
  const row = data as Option | null | undefined
  return row && Array.isArray(row.tariffs) ? { tariffs: row.tariffs, version: row.version } : undefined
}

const Prices = ({ option, onSaved }: OptionProps) => (
  <Card title={say('prices')}>
    <p class="small">{say('pricesText')}</p>
    <Tariffs
      caption={say('prices')}
      seen={option}
      mayChange={may('changeOption')}
      seenIn={seenIn}
      send={async (body) => onSaved(await api.changeOption({ params: { id: option.id }, body }))}
    />
  </Card>
)

const One = (props: OptionProps) => {
  const { option } = props
  return (
    <>
      <div class="head">
        <h1>{titleOf(option)}</h1>
        <Acts {...props} />
      </div>
      <p>
        <Sale isActive={option.is_active} problem={option.problem} />
      </p>
      <Servers {...props} />
      <Prices {...props} />
      <div class="columns">
        <div class="stack">
          <About {...props} />
        </div>
        <div class="stack">
          <Limits {...props} />
          <Preview option={option} />
        </div>
      </div>
    </>
  )
}

/** A paid option: what it is called, what it gives, on which servers and for what. */
const OptionPage = ({ params }: ScreenProps) => {
  const id = Number(params.id)
  const options = useOptions()
  return (
    <Shown of={options} lines={8} heading={say('one', { id: `${id}` })}>
      {(rows) => {
        const option = rows.find((row) => row.id === id)
        if (option) return <One option={option} onSaved={(row) => options.set(withRow(rows, row))} />
        return (
          <>
            <h1>{say('one', { id: `${id}` })}</h1>
            <Empty title={say('gone')}>
              <a class="button p" href={to('/console/options')}>
                {say('toOptions')}
              </a>
            </Empty>
          </>
        )
      }}
    </Shown>
  )
}

export default OptionPage
