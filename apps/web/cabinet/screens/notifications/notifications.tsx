import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Confirm } from '../../../kit/dialog.tsx'
import { Badge } from '../../../kit/look.tsx'
import { Problem } from '../../../kit/problem.tsx'
import { Empty, Loading } from '../../../kit/shown.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { ago } from '../../../lib/relative.ts'
import { type Notice, partsOf } from '../../notices/list.ts'
import { clearNotices, notices, readNotices, takeNotices } from '../../notices/store.ts'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const Text = ({ text }: { readonly text: string }) => (
  <p class="lines">
    {partsOf(text).map((part, at) =>
      part.href === undefined ? (
        part.text
      ) : (
        <a key={at} href={part.href} target="_blank" rel="noopener noreferrer">
          {part.text}
        </a>
      ),
    )}
  </p>
)

const Row = ({ notice, isNew }: { readonly notice: Notice; readonly isNew: boolean }) => (
  <li class="card">
    <p class="row small">
      <time dateTime={new Date(notice.at * 1000).toISOString()} title={dateTime(notice.at)}>
        {ago(notice.at)}
      </time>
      {isNew && <Badge tone="good">{say('isNew')}</Badge>}
    </p>
    <Text text={notice.text} />
  </li>
)

export default function Notifications() {
  const error = useSignal<unknown>(undefined)
  const isLoading = useSignal(true)
  const isClearing = useSignal(false)
  /** What was read before this visit: all that came since is marked until the screen is left. */
  const readBefore = useRef(notices.value.readId).current
  const look = async () => {
    isLoading.value = true
    error.value = undefined
    await takeNotices().catch((reason) => {
      error.value = reason
    })
    isLoading.value = false
  }
  useEffect(() => void look(), [])
  const { items } = notices.value
  const newest = items[0]?.id ?? 0
  useEffect(() => {
    if (newest > notices.value.readId) void readNotices()
  }, [newest])
  return (
    <>
      <h1>{say('title')}</h1>
      {error.value !== undefined && <Problem error={error.value} onRetry={() => void look()} />}
      {items.length === 0 && isLoading.value && <Loading />}
      {items.length === 0 && !isLoading.value && error.value === undefined && (
        <Empty title={say('empty')}>
          <p class="small">{say('emptyText')}</p>
        </Empty>
      )}
      {items.length > 0 && (
        <>
          <ul class="steps">
            {items.map((notice) => (
              <Row key={notice.id} notice={notice} isNew={notice.id > readBefore} />
            ))}
          </ul>
          <p class="small">{say('kept')}</p>
          <div class="acts">
            <button
              type="button"
              onClick={() => {
                isClearing.value = true
              }}
            >
              {say('clear')}
            </button>
          </div>
          <Confirm isOpen={isClearing} title={say('clearTitle')} yes={say('clear')} run={clearNotices}>
            <p>{say('clearText')}</p>
          </Confirm>
        </>
      )}
      <p>
        <a href={to('/settings')}>{say('hours')}</a>
      </p>
    </>
  )
}
