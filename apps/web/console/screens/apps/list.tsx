import type { Signal } from '@preact/signals'
import type { Platform } from '@sallyport/domain/delivery/apps/app'
import type { ComponentChildren } from 'preact'
import { Act } from '../../../kit/act.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Ordered } from '../../../kit/order/ordered.tsx'
import { sayIn } from '../../../lib/language.ts'
import { may } from '../../frame/me.ts'
import { type Apps, type Draft, isChanged, naturalIds, type Row, withOrder } from './draft.ts'
import { platformTitles } from './titles.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface ArrangeProps {
  readonly draft: Signal<Draft>
  readonly apps: Apps
  readonly platform: Platform | undefined
  readonly save: () => Promise<void>
  readonly drop: () => void
}

/** In the order of the draft; of one platform, or all. */
const rowsOf = ({ draft, apps, platform }: ArrangeProps): readonly Row[] => {
  const byId = new Map(apps.apps.map((row) => [row.id, row]))
  return draft.value.ids
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ platforms }) => platform === undefined || platforms.includes(platform))
}

const Line = ({ row, isHidden }: { readonly row: Row; readonly isHidden: boolean }) => (
  <>
    <b>{row.name}</b> {row.is_added && <Badge tone="good">{say('own')}</Badge>}{' '}
    {isHidden && <Badge tone="warn">{say('isHidden')}</Badge>}
    <p class="small">{platformTitles(row.platforms)}</p>
  </>
)

interface HideProps {
  readonly row: Row
  readonly draft: Signal<Draft>
}

const Hide = ({ row: { id, name }, draft }: HideProps) => {
  const { hidden } = draft.value
  const isHidden = hidden.includes(id)
  const turn = () => {
    draft.value = {
      ...draft.value,
      hidden: isHidden ? hidden.filter((one) => one !== id) : [...hidden, id],
    }
  }
  return (
    <button type="button" aria-label={say(isHidden ? 'showOf' : 'hideOf', { name })} onClick={turn}>
      {say(isHidden ? 'show' : 'hide')}
    </button>
  )
}

/** What is not saved yet is said where it is saved. */
const Saving = ({ draft, apps, save, drop }: Omit<ArrangeProps, 'platform'>) => {
  const { ids, hidden, added } = draft.value
  const natural = naturalIds(added)
  const isUsual = hidden.length === 0 && natural.join() === ids.join()
  const isDue = isChanged(draft.value, apps)
  return (
    <div class="saving">
      <p role="status">
        <Badge tone={isDue ? 'warn' : 'good'}>{say(isDue ? 'unsaved' : 'inForce')}</Badge>
      </p>
      <div class="acts">
        <Act kind="p" run={save} disabled={!isDue}>
          {say('save')}
        </Act>
        {isDue && (
          <button type="button" onClick={drop}>
            {say('drop')}
          </button>
        )}
        {!isUsual && (
          <button
            type="button"
            onClick={() => {
              draft.value = { ids: natural, hidden: [], added }
            }}
          >
            {say('toCatalogue')}
          </button>
        )}
      </div>
    </div>
  )
}

const Unmoved = ({
  rows,
  line,
}: {
  readonly rows: readonly Row[]
  readonly line: (row: Row) => ComponentChildren
}) => (
  <ol class="list">
    {rows.map((row) => (
      <li key={row.id}>
        <div>{line(row)}</div>
      </li>
    ))}
  </ol>
)

export const Arrange = (props: ArrangeProps) => {
  const { draft, platform } = props
  const rows = rowsOf(props)
  const line = (row: Row) => <Line row={row} isHidden={draft.value.hidden.includes(row.id)} />
  if (!may('arrangeApps'))
    return (
      <Card title={say('order')}>
        <Unmoved rows={rows} line={line} />
      </Card>
    )
  return (
    <Card title={say('order')}>
      <p class="small">{say(platform === undefined ? 'orderText' : 'orderOfOne')}</p>
      <Ordered
        entries={rows}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        change={(next) => {
          const ids = withOrder(
            draft.value.ids,
            next.map(({ id }) => id),
          )
          draft.value = { ...draft.value, ids }
        }}
        isWhole
        more={(row) => <Hide row={row} draft={draft} />}
      >
        {line}
      </Ordered>
      <Saving {...props} />
    </Card>
  )
}
