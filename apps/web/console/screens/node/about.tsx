import { isOld } from '@sallyport/domain/vpn/node-kinds'
import { Facts } from '../../../kit/fold.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { dateTime, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import { to } from '../../paths.ts'
import type { NodeProps, NodeRow } from './node-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.changeNode>[0]['body']>

const fields = [
  { name: 'name', label: say('name'), isRequired: true },
  { name: 'address', label: say('address'), hint: say('addressHint'), isRequired: true },
  { name: 'listen_address', label: say('listens'), hint: say('listensHint'), isRequired: true },
]

const State = ({ node }: { readonly node: NodeRow }) => {
  if (node.is_online) return <Badge tone="good">{say('online')}</Badge>
  return node.last_seen_at === null ? (
    <Badge tone="dim">{say('never')}</Badge>
  ) : (
    <>
      <Badge tone="bad">{say('away')}</Badge>{' '}
      <span class="small">{say('seenAt', { at: dateTime(node.last_seen_at) })}</span>
    </>
  )
}

/** What it should carry, and what it does. */
const Applied = ({
  node: { desired_revision, applied_revision, apply_error },
}: {
  readonly node: NodeRow
}) => {
  const behind = desired_revision - applied_revision
  return (
    <>
      {apply_error !== null ? (
        <Badge tone="bad">{say('notApplied')}</Badge>
      ) : behind > 0 ? (
        <Badge tone="warn">{say('behind', { n: behind })}</Badge>
      ) : (
        <Badge tone="good">{say('upToDate')}</Badge>
      )}{' '}
      <span class="small">
        {say('revisions', { applied: number(applied_revision), desired: number(desired_revision) })}
      </span>
      {apply_error !== null && (
        <p class="small bad" lang="en">
          {apply_error}
        </p>
      )}
    </>
  )
}

/** The release of its agent, and how it comes to the newest. */
const Agent = ({ node }: { readonly node: NodeRow }) => {
  const { release, newest_release, can_upgrade, last_seen_at } = node
  const isBehind = isOld(node)
  return (
    <>
      {release?.slice(0, 8) ?? say('unknown')}{' '}
      {isBehind && (
        <span class="small">{say('newestIs', { release: `${newest_release?.slice(0, 8)}` })}</span>
      )}
      {isBehind && can_upgrade && (
        <p>
          <a href={to('/console/upgrades')}>{say('toUpgrades')}</a>
        </p>
      )}
      {!can_upgrade && last_seen_at !== null && <p class="small">{say('byHand')}</p>}
    </>
  )
}

const enginesOf = (node: NodeRow) =>
  node.engines.map(
    ({ name, state, version, detail }) =>
      [
        name,
        <>
          {version ?? ''} <Badge tone={state === 'running' ? 'good' : 'bad'}>{state}</Badge>
          {detail !== null && (
            <p class="small" lang="en">
              {detail}
            </p>
          )}
        </>,
      ] as const,
  )

export const About = ({ node, of }: NodeProps) => (
  <Card title={say('about')}>
    <Facts
      rows={[
        [say('state'), <State key="state" node={node} />],
        [say('config'), <Applied key="config" node={node} />],
        ...enginesOf(node),
        [say('agent'), <Agent key="agent" node={node} />],
        ...(node.refused_counters > 0 ? [[say('refused'), number(node.refused_counters)] as const] : []),
      ]}
    />
    {node.refused_counters > 0 && <p class="small">{say('refusedHint')}</p>}
    {may('changeNode') && (
      <Edit
        row={node}
        fields={fields}
        send={(body) => api.changeNode({ params: { id: node.id }, body: body as Body })}
        onSaved={(row) => of.set(row)}
      />
    )}
  </Card>
)
