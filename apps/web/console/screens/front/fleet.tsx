import { Bar } from '../../../kit/look.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { asking, to } from '../../paths.ts'
import type { Overview } from './overview.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Nearly full is time to bring another server. */
const toneOf = (part: number) => (part >= 0.95 ? 'bad' : part >= 0.8 ? 'warn' : 'good')

export const Fleet = ({ overview: { nodes, slots } }: { readonly overview: Overview }) => (
  <section>
    <h2>{say('fleet')}</h2>
    <div class="figures">
      <a class="figure" href={to('/console/nodes')}>
        <span>{say('nodes')}</span>
        <b>
          {number(nodes.online)} / {number(nodes.total)}
        </b>
        <span class="small">{say('nodesOnline')}</span>
      </a>
      {slots.map(({ location_id, code, capacity, used_slots, free }) => {
        const part = capacity === 0 ? 1 : used_slots / capacity
        return (
          <a key={location_id} class="figure" href={asking(to('/console/servers'), { location_id })}>
            <span>{code.toUpperCase()}</span>
            <b>{number(free)}</b>
            <Bar
              part={part}
              tone={toneOf(part)}
              label={say('used', { used: number(used_slots), capacity: number(capacity) })}
            />
          </a>
        )
      })}
    </div>
  </section>
)
