import { type Signal, useSignal } from '@preact/signals'
import { Field } from '../../../../kit/form.tsx'
import { sayIn } from '../../../../lib/language.ts'
import type { Added } from '../draft.ts'
import { pageTexts, platformOptions } from '../titles.ts'
import { words } from '../words.en.ts'
import { Checks } from './checks.tsx'
import { fieldOf } from './read.ts'

const say = sayIn(words)

type Store = Added['stores'][number]

const mostStores = 12

interface StoreFieldsProps {
  readonly path: string
  readonly number: number
  readonly store: Store | undefined
}

const StoreFields = ({ path, number, store }: StoreFieldsProps) => (
  <fieldset class="card">
    <legend>{say('store', { n: `${number}` })}</legend>
    <Field name={`${path}.name`} label={say('storeName')} hint={say('storeNameHint')}>
      {(wiring) => <input {...wiring} defaultValue={store?.name} maxLength={40} required />}
    </Field>
    <Field name={`${path}.url`} label={say('storeUrl')}>
      {(wiring) => <input {...wiring} type="url" defaultValue={store?.url} maxLength={500} required />}
    </Field>
    <Checks
      name={`${path}.platforms`}
      legend={say('platforms')}
      options={platformOptions}
      chosen={store?.platforms ?? []}
    />
    <Field name={`${path}.region`} label={say('region')}>
      {(wiring) => (
        <select {...wiring}>
          <option value="">{say('everywhere')}</option>
          {(['ru', 'abroad'] as const).map((one) => (
            <option key={one} value={one} selected={store?.region === one}>
              {pageTexts.inRegion[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
    <Field name={`${path}.publisher`} label={say('publisher')} hint={say('publisherHint')}>
      {(wiring) => <input {...wiring} defaultValue={store?.publisher} maxLength={80} />}
    </Field>
  </fieldset>
)

interface StoresProps {
  readonly at: number
  readonly stores: readonly Store[]
  readonly count: Signal<number>
}

/** Where the app is had. The last one can be taken away again. */
export const Stores = ({ at, stores, count }: StoresProps) => (
  <>
    {Array.from({ length: count.value }, (_, store) => (
      <StoreFields
        key={store}
        path={fieldOf(at, `stores.${store}`)}
        number={store + 1}
        store={stores[store]}
      />
    ))}
    <div class="acts">
      <button type="button" disabled={count.value >= mostStores} onClick={() => void count.value++}>
        {say('addStore')}
      </button>
      {count.value > 0 && (
        <button type="button" onClick={() => void count.value--}>
          {say('dropStore')}
        </button>
      )}
    </div>
  </>
)

export const useStoreCount = (stores: readonly Store[] | undefined): Signal<number> =>
  useSignal(stores?.length ?? 1)
