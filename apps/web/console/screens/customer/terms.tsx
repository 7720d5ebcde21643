import { Badge } from '../../../kit/look.tsx'
import { Empty } from '../../../kit/shown.tsx'
import { bytes } from '../../../lib/bytes.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { may } from '../../frame/me.ts'
import { Table } from '../../kit/lists/table.tsx'
import { productTitle } from '../../kit/product.ts'
import { Gift } from './gift.tsx'
import { TermActs } from './term-acts.tsx'
import type { User, UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Term = User['terms'][number]

const tones = { active: 'good', limited: 'warn', disabled: 'bad', expired: 'dim' } as const

type Place = NonNullable<Term['place']>

const placeName = ({ location, node }: Place): string => `${location}, ${node}`

const Away = ({ place }: { readonly place: Place }) =>
  place.is_online ? null : <Badge tone="bad">{say('away')}</Badge>

/** Where all of it is, or each of its connections where they are apart. */
const Where = ({ term: { place, accesses } }: { readonly term: Term }) => {
  const problems = accesses.filter(({ problem }) => problem !== null)
  const isTogether =
    place !== null && accesses.every((access) => placeName(access.place) === placeName(place))
  return (
    <>
      {isTogether && (
        <span>
          {placeName(place)} <Away place={place} />
        </span>
      )}
      {accesses.map((access) => (
        <span key={access.id} class="small">
          {[access.title, access.protocol, !isTogether && placeName(access.place)]
            .filter(Boolean)
            .join(' · ')}{' '}
          {!isTogether && <Away place={access.place} />}
        </span>
      ))}
      {problems.map(({ id, problem }) => (
        <span key={id} class="bad">
          {problem}
        </span>
      ))}
    </>
  )
}

export const Terms = ({ user, of }: UserProps) => (
  <section id="terms">
    <div class="list-head">
      <h2>{say('terms')}</h2>
      {may('grantProduct') && <Gift user={user} of={of} />}
    </div>
    {user.terms.length === 0 ? (
      <Empty title={say('noTerms')} />
    ) : (
      <Table
        caption={say('terms')}
        rows={user.terms}
        keyOf={({ term_id }) => term_id}
        columns={[
          {
            title: say('what'),
            cell: ({ title, item_id, product_type }) => (
              <>
                {title}
                <span class="small">
                  {productTitle(product_type)} · {say('item', { id: `${item_id}` })}
                </span>
              </>
            ),
          },
          { title: say('state'), cell: ({ state }) => <Badge tone={tones[state]}>{say(state)}</Badge> },
          {
            title: say('until'),
            cell: ({ expires_at, auto_renewal, stopped_at }) => (
              <>
                <span class="words">{expires_at === null ? '–' : date(expires_at)}</span>
                {auto_renewal && <span class="small">{say('renews')}</span>}
                {stopped_at !== null && <span class="small">{say('stopped', { at: date(stopped_at) })}</span>}
              </>
            ),
          },
          { title: say('place'), cell: (term) => <Where term={term} /> },
          {
            title: say('traffic'),
            cell: ({ traffic }) => (
              <>
                ↓ {bytes(traffic.down)} <br />↑ {bytes(traffic.up)}
              </>
            ),
          },
          {
            title: say('does'),
            isAlone: true,
            cell: (term) => <TermActs term={term} user={user} of={of} />,
          },
        ]}
      />
    )}
  </section>
)
