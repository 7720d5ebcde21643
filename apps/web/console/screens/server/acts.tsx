import { Act } from '../../../kit/act.tsx'
import { Confirmed } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { forgetRead } from '../../../lib/resource.ts'
import { route } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { to } from '../../paths.ts'
import { write } from './seen.ts'
import type { ServerProps } from './server-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export const Acts = ({ server, of }: ServerProps) => {
  const { id, state, version, used_slots } = server
  const set = async (next: 'selling' | 'closed') => {
    await write(of, () => api.changeServer({ params: { id }, body: { state: next, version } }))
    tell(say(next === 'closed' ? 'closedNow' : 'sellingNow'))
  }
  const remove = async () => {
    await api.deleteServer({ params: { id } })
    tell(say('retired'))
    forgetRead('servers')
    route(to('/console/servers'))
  }
  const isRetirable = (state === 'selling' || state === 'closed') && used_slots === 0
  return (
    <div class="acts">
      {may('changeServer') && state === 'selling' && <Act run={() => set('closed')}>{say('close')}</Act>}
      {may('changeServer') && state === 'closed' && (
        <Act kind="p" run={() => set('selling')}>
          {say('sell')}
        </Act>
      )}
      {may('deleteServer') && isRetirable && (
        <Confirmed title={say('retireTitle', { id: `${id}` })} yes={say('retire')} run={remove}>
          <p>{say('retireText')}</p>
        </Confirmed>
      )}
    </div>
  )
}
