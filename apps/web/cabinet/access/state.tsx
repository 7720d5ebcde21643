import { Badge } from '../../kit/look.tsx'
import { sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Whether its server answers. */
export const Online = ({ isOnline }: { readonly isOnline: boolean | null }) => {
  if (isOnline === null) return <Badge tone="dim">{say('unknown')}</Badge>
  return <Badge tone={isOnline ? 'good' : 'bad'}>{say(isOnline ? 'online' : 'offline')}</Badge>
}

/** What to do while it does not. */
export const Away = () => (
  <p class="notice">
    {say('offlineText')} <a href="#move">{say('offlineMove')}</a>.
  </p>
)
