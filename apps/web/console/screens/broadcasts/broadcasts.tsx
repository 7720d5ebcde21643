import { useSignal } from '@preact/signals'
import { sayIn } from '../../../lib/language.ts'
import { usePolling } from '../../../lib/polling.ts'
import { resource } from '../../../lib/resource.ts'
import { route, useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { useChosen } from '../../kit/chosen.ts'
import { Csv } from '../../kit/lists/csv.tsx'
import { before, List, Nothing, type Page, pageSize } from '../../kit/lists/list.tsx'
import { to } from '../../paths.ts'
import { type Broadcast, isGoing, isView, isWaiting, type Letter } from './broadcast.ts'
import { Compose } from './compose.tsx'
import { Audience, Progress, Said, Stop, When } from './progress.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const name = 'broadcasts'
const quickSeconds = 2
const slowSeconds = 30

const read = (cursor: string | undefined): Promise<Page<Broadcast>> =>
  api
    .listBroadcasts({ query: { limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) } })
    .then(before(pageSize))

/** Whom the address means: a search, or a view of customers. */
const begunOf = ({ search, view }: Readonly<Record<string, string>>): Partial<Letter> => {
  if (search) return { search }
  return isView(view) ? { view } : {}
}

const Broadcasts = () => {
  const { query } = useLocation()
  const begun = begunOf(query)
  const isWriting = useSignal(Object.keys(begun).length > 0)
  const letters = useSignal(0)
  const stopping = useChosen<Broadcast>()
  const list = resource(name, () => read(undefined))
  const items = list.data.value?.items ?? []
  const latest = items.find(({ id }) => id === stopping.row?.id) ?? stopping.row
  usePolling(list.reload, items.some(isGoing) ? quickSeconds : slowSeconds, !items.some(isWaiting))
  const onSent = async () => {
    isWriting.value = false
    letters.value++
    route(to('/console/broadcasts'), true)
    await list.reload()
  }
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        <div class="acts">
          {may('createBroadcast') && (
            <button
              type="button"
              class={isWriting.value ? undefined : 'p'}
              aria-expanded={isWriting.value}
              onClick={() => (isWriting.value = !isWriting.value)}
            >
              {say(isWriting.value ? 'close' : 'write')}
            </button>
          )}
          <Csv path="/broadcasts" name="broadcasts" />
        </div>
      </div>
      {/* What was written stays while it is closed. */}
      {may('createBroadcast') && (
        <div hidden={!isWriting.value}>
          <Compose key={letters.value} begun={begun} onSent={onSent} />
        </div>
      )}
      <Stop of={{ ...stopping, row: latest }} onStopped={list.reload} />
      <List
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        empty={<Nothing title={say('none')} />}
        columns={[
          { title: say('text'), isAlone: true, cell: (row) => <Said row={row} /> },
          { title: say('toWhom'), cell: (row) => <Audience row={row} /> },
          { title: say('when'), cell: (row) => <When row={row} /> },
          { title: say('state'), cell: (row) => <Progress row={row} /> },
          {
            title: say('does'),
            isAlone: true,
            cell: (row) =>
              isWaiting(row) && may('stopBroadcast') ? (
                <button
                  type="button"
                  aria-label={say('stopOf', { id: `${row.id}` })}
                  onClick={() => stopping.choose(row)}
                >
                  {say('stop')}
                </button>
              ) : null,
          },
        ]}
      />
    </>
  )
}

export default Broadcasts
