import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Switch } from '../../../kit/choice.tsx'
import { Form, useProblems } from '../../../kit/form.tsx'
import { langOf } from '../../../kit/problem.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { SallyportError } from '../../api.ts'
import { type Changes, Compare } from '../forms/edit.tsx'
import { columnsOf, type Method, methodTitle, useMethods } from './methods.ts'
import {
  byPlace,
  changedPlaces,
  lengthsGone,
  type Price,
  rowsOf,
  type SentTariff,
  type SheetRow,
  sentTariffs,
  type Tariff,
  withPlaces,
} from './prices.ts'
import { tariffsIn } from './read.ts'
import { say } from './say.ts'
import { Listed, Sheet } from './sheet.tsx'

/** What something is sold for: lengths by methods. Somebody else's change is compared price by price. */

export interface Seen<T extends Tariff> {
  readonly tariffs: readonly T[]
  readonly version: number
}

interface TariffsProps<T extends Tariff> {
  /** Whose prices they are. */
  readonly caption: string
  readonly seen: Seen<T>
  readonly mayChange: boolean
  readonly send: (wish: { tariffs: SentTariff[]; version: number }) => Promise<unknown>
  /** What a refusal shows of them as they are now. */
  readonly seenIn: (data: unknown) => Seen<T> | undefined
}

type SoldTariff = Tariff & { readonly problem: string | null }

const toldPrice = (price: Price | undefined): string | undefined => {
  if (!price) return undefined
  const { price: now, old_price: old } = price
  return old === undefined ? String(now) : say('was', { price: String(now), old: String(old) })
}

const toldAt = (tariffs: readonly Tariff[], places: readonly string[]): Changes => {
  const prices = byPlace(tariffs)
  return Object.fromEntries(places.map((place) => [place, toldPrice(prices.get(place))]))
}

const nameOf = (place: string, methods: readonly Method[]): string => {
  const [days, id] = place.split(':').map(Number)
  const method = methods.find((one) => one.id === id)
  return say('place', {
    days: say('days', { n: days ?? 0 }),
    method: method ? methodTitle(method) : String(id),
  })
}

interface RefusedProps {
  /** What was sent last. */
  readonly sent: { readonly current: readonly Tariff[] }
  readonly methods: readonly Method[]
}

/** What the service said of single prices, which it names by where they stood. */
const Refused = ({ sent, methods }: RefusedProps) => (
  <>
    {useProblems('tariffs').map(({ path, problem }) => {
      const [, n, m] = /^tariffs\.(\d+)(?:\.prices\.(\d+))?/.exec(path) ?? []
      const tariff = sent.current[Number(n)]
      const price = tariff?.prices[Number(m)]
      const place =
        tariff && price
          ? nameOf(`${tariff.days}:${price.payment_method_id}`, methods)
          : tariff && say('days', { n: tariff.days })
      return (
        <p key={path} class="bad small" role="alert">
          {place && `${place}: `}
          <span lang={langOf(problem)}>{problem}</span>
        </p>
      )
    })}
  </>
)

interface WrittenProps<T extends SoldTariff> extends TariffsProps<T> {
  readonly methods: readonly Method[]
}

const Written = <T extends SoldTariff>({ caption, seen, send, seenIn, methods }: WrittenProps<T>) => {
  const { tariffs } = seen
  const rows = useSignal<readonly SheetRow[]>(rowsOf(tariffs))
  const hasOld = useSignal(tariffs.some(({ prices }) => prices.some((one) => one.old_price !== undefined)))
  const collision = useSignal<
    { now: Seen<T>; mine: readonly Tariff[]; places: readonly string[] } | undefined
  >(undefined)
  const sent = useRef<readonly Tariff[]>([])
  const columns = columnsOf(methods, tariffs)
  const gone = lengthsGone(tariffs, rows.value)

  const store = async (wish: readonly Tariff[], places: readonly string[], version: number) => {
    sent.current = wish
    try {
      await send({ tariffs: sentTariffs(wish), version })
      collision.value = undefined
      tell(say('saved'))
    } catch (error) {
      const now = error instanceof SallyportError && error.statusCode === 409 ? seenIn(error.data) : undefined
      if (!now) throw error
      collision.value = { now, mine: wish, places }
    }
  }
  const save = async () => {
    const wish = tariffsIn(rows.value, columns)
    const places = changedPlaces(tariffs, wish)
    if (places.length === 0) return tell(say('unchanged'))
    await store(wish, places, seen.version)
  }
  if (collision.value) {
    const { now, mine, places } = collision.value
    return (
      <Compare
        fields={places.map((place) => ({ name: place, label: nameOf(place, methods) }))}
        collision={{
          row: { ...toldAt(now.tariffs, places), version: now.version },
          mine: toldAt(mine, places),
        }}
        send={(kept) => {
          const chosen = Object.keys(kept)
          return store(withPlaces(now.tariffs, mine, chosen), chosen, now.version)
        }}
      />
    )
  }
  const add = () => {
    rows.value = [...rows.value, { key: -Date.now(), days: '', isNew: true, cells: {} }]
  }
  return (
    <Form send={save} submit={say('save')}>
      {rows.value.length === 0 ? (
        <p class="small">{say('none')}</p>
      ) : (
        <>
          <Sheet
            caption={caption}
            rows={rows}
            methods={columns}
            hasOld={hasOld.value}
            problemOf={(days) => tariffs.find((one) => one.days === days)?.problem ?? null}
          />
          <p class="small">{say('empty')}</p>
        </>
      )}
      <Refused sent={sent} methods={methods} />
      {gone.length > 0 && (
        <p class="notice" role="status">
          {say('gone', { lengths: gone.map((n) => say('days', { n })).join(', ') })}
        </p>
      )}
      <Switch label={say('withOld')} isOn={hasOld.value} onChange={(isOn) => (hasOld.value = isOn)} />
      <div class="acts">
        <button type="button" onClick={add}>
          {say('add')}
        </button>
        <button type="button" onClick={() => (rows.value = rowsOf(tariffs))}>
          {say('undo')}
        </button>
      </div>
    </Form>
  )
}

const Seeable = <T extends SoldTariff>(props: WrittenProps<T>) => {
  const { caption, seen, mayChange, methods } = props
  if (mayChange) return <Written {...props} />
  if (seen.tariffs.length === 0) return <p class="small">{say('noneToSee')}</p>
  return <Listed caption={caption} rows={rowsOf(seen.tariffs)} methods={columnsOf(methods, seen.tariffs)} />
}

/** What is written stays while other things of the same row are saved. */
const keyOf = (tariffs: readonly Tariff[]): string =>
  JSON.stringify(tariffs.map(({ days, prices }) => [days, prices]))

export const Tariffs = <T extends SoldTariff>(props: TariffsProps<T>) => {
  const methods = useMethods()
  return (
    <Shown of={methods}>
      {(all) => <Seeable key={keyOf(props.seen.tariffs)} {...props} methods={all} />}
    </Shown>
  )
}
