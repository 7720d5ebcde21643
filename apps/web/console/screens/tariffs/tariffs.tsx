import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Tariffs as Prices, type Seen } from '../../kit/tariffs/tariffs.tsx'
import { AsCustomer } from './as-customer.tsx'
import { Elsewhere } from './elsewhere.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

type Row = Awaited<ReturnType<typeof api.showConfigTariffs>>[number]

/** Who saw that there are none has seen no version. */
const seenOf = (rows: readonly Row[]): Seen<Row> => ({ tariffs: rows, version: rows[0]?.version ?? 0 })

const seenIn = (data: unknown): Seen<Row> | undefined =>
  Array.isArray(data) ? seenOf(data as Row[]) : undefined

/** What configurations cost, and what one customer is shown of all prices. */
const Tariffs = () => {
  const tariffs = useResource('config-tariffs', () => api.showConfigTariffs({}))
  return (
    <>
      <h1>{say('title')}</h1>
      <Card title={say('configurations')}>
        <p class="small">{say('text')}</p>
        <Shown of={tariffs}>
          {(rows) => (
            <Prices
              caption={say('sheet')}
              seen={seenOf(rows)}
              mayChange={may('changeConfigTariffs')}
              seenIn={seenIn}
              send={async (body) => tariffs.set(await api.changeConfigTariffs({ body }))}
            />
          )}
        </Shown>
      </Card>
      <Elsewhere />
      {may('listUserPrices') && <AsCustomer />}
    </>
  )
}

export default Tariffs
