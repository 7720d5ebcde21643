import type { Signal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { isWaiting, type Machine, takesAddress } from './machine.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface ActsProps {
  readonly row: Machine
  /** The one that an address is given for. */
  readonly giving: Signal<Machine | undefined>
  readonly changed: () => Promise<void>
}

export const Acts = ({ row, giving, changed }: ActsProps) => {
  const { id } = row
  const retry = async () => {
    await api.retryMachine({ params: { id } })
    tell(say('tried'))
    await changed()
  }
  return (
    <div class="acts">
      {may('setMachineAddress') && takesAddress(row) && (
        <button
          type="button"
          class="p"
          aria-label={say('giveOne', { id: `${id}` })}
          onClick={() => {
            giving.value = row
          }}
        >
          {say('giveAddress')}
        </button>
      )}
      {may('retryMachine') && isWaiting(row) && (
        <Act run={retry} label={say('retryOne', { id: `${id}` })}>
          {say('retry')}
        </Act>
      )}
    </div>
  )
}
