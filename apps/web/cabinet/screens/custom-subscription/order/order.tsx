import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Dialog } from '../../../../kit/dialog.tsx'
import { Badge, Card } from '../../../../kit/look.tsx'
import { Problem } from '../../../../kit/problem.tsx'
import { Empty, Shown } from '../../../../kit/shown.tsx'
import { api } from '../../../../lib/api.ts'
import { keep, kept } from '../../../../lib/kept.ts'
import { type Resource, useResource } from '../../../../lib/resource.ts'
import { to } from '../../../paths.ts'
import {
  groupsOf,
  itemKey,
  mostItems,
  type Pickable,
  withoutPresent,
} from '../../../subscription-items/items.ts'
import { Picker } from '../../../subscription-items/picker.tsx'
import { say } from '../say.ts'
import { type Entry, isSameOrder, newEntry, type Subscription, sentItem, withServers } from './entry.ts'
import { Lines } from './lines.tsx'
import { type Saver, saverOf } from './saver.ts'

const State = ({ saver }: { readonly saver: Saver<Entry> }) => {
  if (saver.state.value !== 'failed')
    return (
      <p role="status">
        <Badge tone={saver.state.value === 'saved' ? 'good' : 'dim'}>{say(saver.state.value)}</Badge>
      </p>
    )
  return (
    <div class="notice" role="alert">
      <p>{say(saver.error.value === undefined ? 'unsavedBefore' : 'unsaved')}</p>
      {saver.error.value !== undefined && <Problem error={saver.error.value} />}
      <div class="acts">
        <button type="button" class="p" onClick={() => void saver.save()}>
          {say('saveAgain')}
        </button>
        <button type="button" onClick={saver.drop}>
          {say('dropOrder')}
        </button>
      </div>
    </div>
  )
}

interface AddProps {
  readonly entries: readonly Entry[]
  readonly add: (picked: readonly Pickable[]) => void
}

const Choose = ({ entries, add }: AddProps) => {
  const available = useResource('available-items', () => api.listAvailableItems())
  const picked = useSignal<readonly Pickable[]>([])
  return (
    <Shown of={available}>
      {(items) => {
        const present = new Set(entries.map(itemKey))
        const groups = withoutPresent(groupsOf(items), present)
        if (groups.length === 0)
          return (
            <Empty title={say('nothingMore')}>
              <a class="button" href={to('/shop')}>
                {say('toShop')}
              </a>
            </Empty>
          )
        return (
          <>
            <Picker groups={groups} picked={picked} most={mostItems - entries.length} present={present} />
            <button
              type="button"
              class="p"
              disabled={picked.value.length === 0}
              onClick={() => add(picked.value)}
            >
              {say('addPicked')}
            </button>
          </>
        )
      }}
    </Shown>
  )
}

const useSaver = (read: Resource<Subscription>, subscription: Subscription): Saver<Entry> => {
  const { id, items } = subscription
  const name = `order/${id}`
  const saver = useMemo(
    () =>
      saverOf<Entry>({
        start: items,
        unsaved: kept<readonly Entry[]>(name),
        remember: (wanted) => keep(name, wanted),
        isSame: isSameOrder,
        send: async (wanted) => {
          const body = { items: wanted.map(sentItem) }
          const saved = withServers(await api.replaceSubscriptionItems({ params: { id }, body }), wanted)
          read.set(saved)
          return saved.items
        },
      }),
    [id],
  )
  useEffect(() => saver.adopt(items), [saver, items])
  // Whoever leaves at once has meant it.
  useEffect(
    () => () => {
      if (saver.state.value === 'waiting') void saver.save()
    },
    [saver],
  )
  return saver
}

interface OrderProps {
  readonly read: Resource<Subscription>
  readonly subscription: Subscription
}

/** What is in it, in the order in which apps show it. */
export const Order = ({ read, subscription }: OrderProps) => {
  const saver = useSaver(read, subscription)
  const isAdding = useSignal(false)
  const entries = saver.wanted.value
  return (
    <Card
      title={say('items')}
      side={<span class="small">{say('countOf', { n: entries.length, most: mostItems })}</span>}
    >
      <p class="small">{say('orderText')}</p>
      <Lines entries={entries} change={saver.change} />
      {entries.length === 1 && <p class="small">{say('lastOne')}</p>}
      <State saver={saver} />
      <button
        type="button"
        disabled={entries.length >= mostItems}
        onClick={() => {
          isAdding.value = true
        }}
      >
        {say('add')}
      </button>
      <Dialog isOpen={isAdding} title={say('add')}>
        <Choose
          entries={entries}
          add={(picked) => {
            isAdding.value = false
            saver.change([...entries, ...picked.map(newEntry)])
          }}
        />
      </Dialog>
    </Card>
  )
}
