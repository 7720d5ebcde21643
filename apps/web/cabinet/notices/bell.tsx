import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { sayIn } from '../../lib/language.ts'
import { Icon } from '../icons.tsx'
import { to } from '../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** After what the screen itself asks for. */
const patienceMs = 2000

/** Leads to the notifications, with the number of those that nobody has looked at. */
export const Bell = () => {
  const store = useSignal<typeof import('./store.ts') | undefined>(undefined)
  useEffect(() => {
    let stop = (): void => undefined
    const timer = setTimeout(() => {
      import('./store.ts').then(
        (module) => {
          store.value = module
          stop = module.watchNotices()
        },
        () => undefined,
      )
    }, patienceMs)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [store])
  const unread = store.value?.unread.value ?? 0
  const label = unread > 0 ? say('unread', { n: unread }) : say('notifications')
  return (
    <a class="button icon" href={to('/notifications')} aria-label={label}>
      <Icon name="bell" />
      {unread > 0 && (
        <span class="count" aria-hidden="true">
          {unread > 9 ? '9+' : unread}
        </span>
      )}
    </a>
  )
}
