import { Act } from '../../../kit/act.tsx'
import { Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { CloudConfiguration } from '../../kit/catalogue/products.ts'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import { type Seen, Tariffs } from '../../kit/tariffs/tariffs.tsx'
import { to } from '../../paths.ts'
import { wordFields } from './fields.ts'
import { OffSale } from './off-sale.tsx'
import { Offers } from './offers/offers.tsx'
import type { OneProps } from './one-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.changeCloudConfiguration>[0]['body']>

const Acts = ({ row: { id, is_active, version }, onSaved }: OneProps) => {
  const turn = async () => {
    const body = { is_active: !is_active, version }
    onSaved(await api.changeCloudConfiguration({ params: { id }, body }))
    tell(say(is_active ? 'offNow' : 'onNow'))
  }
  return (
    <div class="acts">
      <a class="button" href={to('/console/cloud-configurations')}>
        {say('toAll')}
      </a>
      {may('changeCloudConfiguration') && <Act run={turn}>{say(is_active ? 'turnOff' : 'turnOn')}</Act>}
    </div>
  )
}

const About = ({ row, onSaved }: OneProps) =>
  may('changeCloudConfiguration') ? (
    <Card title={say('words')}>
      <Edit
        key={[row.title_en, row.title_ru, row.description_en, row.description_ru].join('\n')}
        row={row}
        fields={wordFields}
        send={(body) => api.changeCloudConfiguration({ params: { id: row.id }, body: body as Body })}
        onSaved={onSaved}
      />
    </Card>
  ) : (
    <p>{row.description_en}</p>
  )

const seenIn = (data: unknown): Seen<CloudConfiguration['tariffs'][number]> | undefined => {
  const row = data as CloudConfiguration | null | undefined
  return row && Array.isArray(row.tariffs) ? { tariffs: row.tariffs, version: row.version } : undefined
}

const Prices = ({ row, onSaved }: OneProps) => (
  <Card title={say('prices')}>
    <p class="small">{say('pricesText')}</p>
    <Tariffs
      caption={say('prices')}
      seen={row}
      mayChange={may('changeCloudConfiguration')}
      seenIn={seenIn}
      send={async (body) => onSaved(await api.changeCloudConfiguration({ params: { id: row.id }, body }))}
    />
  </Card>
)

export const One = (props: OneProps) => (
  <>
    <div class="head">
      <h1>{titleOf(props.row)}</h1>
      <Acts {...props} />
    </div>
    <p>
      <OffSale row={props.row} />
    </p>
    <Offers {...props} />
    <Prices {...props} />
    <About {...props} />
  </>
)
