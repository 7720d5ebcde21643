import { FoldedPart } from '../../../kit/later.tsx'
import { Badge, Bar } from '../../../kit/look.tsx'
import { dateTime, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { Table } from '../../kit/lists/table.tsx'
import { to } from '../../paths.ts'
import { Reason } from './reason.tsx'
import { NodeBadge, overIn } from './state.tsx'
import type { NodeOf, UpgradeRow, Wave } from './upgrade-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const counted = ['ill', 'skipped', 'upgrading', 'told', 'waiting', 'done'] as const

/** How many are how, those that need a person first. */
const told = (wave: Wave): string =>
  counted
    .filter((state) => wave[state] > 0)
    .map((state) => say('soMany', { n: number(wave[state]), what: say(`node_${state}`) }))
    .join(', ')

export const Waves = ({ upgrade }: { readonly upgrade: UpgradeRow }) => (
  <ol class="list" aria-label={say('waves')}>
    {upgrade.waves.map((wave) => (
      <li key={wave.wave}>
        <div class="whole">
          <b>{say('wave', { id: `${wave.wave}` })}</b>{' '}
          {wave.wave === upgrade.wave && upgrade.state !== 'done' && (
            <Badge tone="warn">{say('current')}</Badge>
          )}
          <Bar
            part={wave.nodes === 0 ? 1 : overIn(wave) / wave.nodes}
            label={say('over', { over: number(overIn(wave)), nodes: number(wave.nodes) })}
            tone={wave.ill > 0 ? 'bad' : 'good'}
          />
          <span class="small">{told(wave)}</span>
        </div>
      </li>
    ))}
  </ol>
)

const rank = ({ state }: NodeOf): number => counted.indexOf(state)

/** More than these nobody reads. */
const most = 200

export const NodesOf = ({ upgrade }: { readonly upgrade: UpgradeRow }) => {
  const rows = upgrade.nodes.toSorted((a, b) => rank(a) - rank(b) || a.wave - b.wave)
  return (
    <FoldedPart title={say('nodes', { n: rows.length })} isOpen={rows.length <= 20}>
      {() => (
        <>
          <Table
            caption={say('nodes', { n: rows.length })}
            rows={rows.slice(0, most)}
            keyOf={({ node_id }) => node_id}
            columns={[
              {
                title: say('node'),
                cell: ({ node_id, name }) => <a href={to('/console/nodes/:id', { id: node_id })}>{name}</a>,
              },
              { title: say('inWave'), cell: ({ wave }) => number(wave), isNumber: true },
              {
                title: say('state'),
                cell: ({ state, reason }) => (
                  <>
                    <NodeBadge state={state} />
                    {reason !== null && (
                      <span class="small">
                        <Reason text={reason} />
                      </span>
                    )}
                  </>
                ),
              },
              { title: say('had'), cell: ({ release_before }) => release_before?.slice(0, 8) ?? '–' },
              { title: say('told'), cell: ({ told_at }) => (told_at === null ? '–' : dateTime(told_at)) },
              { title: say('ended'), cell: ({ ended_at }) => (ended_at === null ? '–' : dateTime(ended_at)) },
            ]}
          />
          {rows.length > most && <p class="small">{say('moreNodes', { n: rows.length - most })}</p>}
        </>
      )}
    </FoldedPart>
  )
}
