import { Confirm } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import type { Chosen } from '../../kit/chosen.ts'
import type { Promocode } from './promocode.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface RevokeProps {
  readonly of: Chosen<Promocode>
  readonly onRevoked: (id: number) => void
}

/** What it means, before the code is worthless. */
export const Revoke = ({ of: { row, isOpen }, onRevoked }: RevokeProps) => {
  if (!row) return null
  const { id, code, buyer_id } = row
  const revoke = async () => {
    await api.revokePromocode({ params: { id } })
    tell(say('revokedNow'))
    onRevoked(id)
  }
  return (
    <Confirm isOpen={isOpen} title={say('revokeTitle', { code })} yes={say('revokeNow')} run={revoke}>
      <p>{say('revokeText')}</p>
      {buyer_id !== null && <p class="notice">{say('revokeBought')}</p>}
    </Confirm>
  )
}
