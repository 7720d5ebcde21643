import type { ConsolePath } from '@sallyport/domain/console/pages'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { asking } from '../../paths.ts'
import type { Overview } from './overview.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Wait = readonly [
  name: 'alerts' | 'withdrawals' | 'payments' | 'grants' | 'nodesAway',
  count: number,
  path: ConsolePath,
  query: Readonly<Record<string, string>>,
  tone: 'bad' | 'warn',
]

const waits = ({ open, nodes }: Overview): readonly Wait[] => [
  ['alerts', open.alerts, '/console/alerts', {}, 'bad'],
  ['nodesAway', nodes.total - nodes.online, '/console/nodes', { only: 'troubled' }, 'bad'],
  ['grants', open.grants, '/console/orders', { state: 'paid' }, 'bad'],
  ['withdrawals', open.withdrawals, '/console/withdrawals', {}, 'warn'],
  ['payments', open.payments, '/console/orders', { state: 'created' }, 'warn'],
]

/** The number stands above, larger. */
const told = (name: Wait[0], count: number): string => say(name, { n: count }).slice(number(count).length + 1)

/** What waits for a person, each a way to it. */
export const Waiting = ({ overview }: { readonly overview: Overview }) => {
  const found = waits(overview).filter(([, count]) => count > 0)
  return (
    <section>
      <h2>{say('waiting')}</h2>
      {found.length === 0 ? (
        <p class="good-news">{say('nothingWaits')}</p>
      ) : (
        <div class="figures">
          {found.map(([name, count, path, query, tone]) => (
            <a key={name} class={`figure ${tone}`} href={asking(path, query)}>
              <b>{number(count)}</b>
              <span>{told(name, count)}</span>
            </a>
          ))}
        </div>
      )}
    </section>
  )
}
