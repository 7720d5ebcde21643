import { useEffect } from 'preact/hooks'
import { sayIn } from '../../lib/language.ts'
import { unread, watchNotices } from './store.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** How many notifications nobody has looked at. */
export const Unread = () => {
  useEffect(watchNotices, [])
  const count = unread.value
  if (count === 0) return null
  return (
    <>
      <span class="count" aria-hidden="true">
        {count > 9 ? '9+' : count}
      </span>
      <span class="hidden">{say('unread', { n: count })}</span>
    </>
  )
}
