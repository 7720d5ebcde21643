import { useSignal } from '@preact/signals'
import { isProductClass } from '@sallyport/contract/product-types'
import { Badge } from '../../../kit/look.tsx'
import { date, dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import { resource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { useChosen } from '../../kit/chosen.ts'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import type { Column } from '../../kit/lists/table.tsx'
import { Person } from '../../kit/person.tsx'
import { productOptions, productTitle } from '../../kit/product.ts'
import { asking } from '../../paths.ts'
import { Issue, useIssued } from './issue.tsx'
import { type Promocode, stateOf } from './promocode.ts'
import { Revoke } from './revoke.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = { active: 'good', used: 'dim', revoked: 'bad', expired: 'dim' } as const

const State = ({ row }: { readonly row: Promocode }) => {
  const state = stateOf(row)
  return (
    <>
      <Badge tone={tones[state]}>{say(state)}</Badge>
      {state === 'active' && row.expires_at !== null && (
        <span class="small">{say('until', { at: dateTime(row.expires_at) })}</span>
      )}
      {state === 'expired' && row.expires_at !== null && <span class="small">{date(row.expires_at)}</span>}
      {state === 'revoked' && row.revoked_at !== null && <span class="small">{date(row.revoked_at)}</span>}
    </>
  )
}

const columnsOf = (asItIs: (row: Promocode) => Promocode): readonly Column<Promocode>[] => [
  { title: say('number'), cell: ({ id }) => id, isNumber: true },
  { title: say('code'), cell: ({ code }) => <code>{code}</code> },
  {
    title: say('gives'),
    cell: ({ product_type, days }) => (
      <>
        {say('forDays', { n: days })}
        <span class="small">{productTitle(product_type)}</span>
      </>
    ),
  },
  { title: say('state'), cell: (row) => <State row={asItIs(row)} /> },
  {
    title: say('usedBy'),
    cell: ({ used_by, used_at }) => (
      <>
        {used_by === null ? '–' : <Person id={used_by} />}
        {used_at !== null && <span class="small">{dateTime(used_at)}</span>}
      </>
    ),
  },
  {
    title: say('boughtBy'),
    cell: ({ buyer_id }) => (buyer_id === null ? say('given') : <Person id={buyer_id} />),
  },
  { title: say('made'), cell: ({ created_at }) => dateTime(created_at) },
]

/** Those revoked on this page, on whatever page of the list they stand. */
const useRevoked = () => {
  const at = useSignal<Readonly<Record<number, number>>>({})
  const asItIs = (row: Promocode): Promocode => {
    const revoked_at = at.value[row.id]
    return revoked_at === undefined ? row : { ...row, is_active: false, revoked_at }
  }
  const note = (id: number) => {
    at.value = { ...at.value, [id]: now() }
  }
  return { asItIs, note }
}

/** Codes that give days for nothing: bought by customers, or issued by operators. */
const Promocodes = () => {
  const { query } = useLocation()
  const { show, shown } = useIssued()
  const { asItIs, note } = useRevoked()
  const revoking = useChosen<Promocode>()
  const filter = {
    ...(query.product_type && isProductClass(query.product_type) && { product_type: query.product_type }),
    ...((query.is_active === 'true' || query.is_active === 'false') && {
      is_active: query.is_active === 'true',
    }),
  }
  const asked = { product_type: filter.product_type, is_active: filter.is_active?.toString() }
  const name = asking('promocodes', asked)
  const read = (cursor: string | undefined) =>
    api
      .listIssuedPromocodes({
        query: { ...filter, limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
      })
      .then(before(pageSize))
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <div class="acts">
          <Csv path="/promocodes" query={asked} name="promocodes" />
          {may('issuePromocodes') && (
            <Issue
              onIssued={async (batch) => {
                show(batch)
                await resource(name, () => read(undefined)).reload()
              }}
            />
          )}
        </div>
      </div>
      {shown}
      <Revoke of={revoking} onRevoked={note} />
      <SavedViews />
      <Filters>
        <ChosenFilter
          name="product_type"
          label={say('product')}
          unset={say('any')}
          options={productOptions()}
        />
        <ChosenFilter
          name="is_active"
          label={say('works')}
          options={[
            ['true', say('stillWork')],
            ['false', say('workNoMore')],
          ]}
        />
      </Filters>
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        empty={<Nothing title={say('none')} />}
        columns={[
          ...columnsOf(asItIs),
          {
            title: say('does'),
            isAlone: true,
            cell: (row) =>
              stateOf(asItIs(row)) === 'active' && may('revokePromocode') ? (
                <button
                  type="button"
                  aria-label={say('revokeOf', { code: row.code })}
                  onClick={() => revoking.choose(row)}
                >
                  {say('revoke')}
                </button>
              ) : null,
          },
        ]}
      />
    </>
  )
}

export default Promocodes
