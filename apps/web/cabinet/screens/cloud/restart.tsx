import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Confirm } from '../../../kit/dialog.tsx'
import { Bar } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** A machine takes a minute or two. */
const restartSeconds = 120

/** Restarts the machine, and counts until it is back. */
export const Restart = ({ id, onBack }: { readonly id: number; readonly onBack: () => Promise<void> }) => {
  const isOpen = useSignal(false)
  const endsAt = useSignal<number | undefined>(undefined)
  const left = useSignal(0)
  useEffect(() => {
    const end = endsAt.value
    if (end === undefined) return
    const timer = setInterval(() => {
      left.value = Math.max(0, Math.ceil((end - Date.now()) / 1000))
      if (left.value > 0) return
      endsAt.value = undefined
      tell(say('restarted'))
      void onBack()
    }, 1000)
    return () => clearInterval(timer)
  }, [endsAt.value, left, endsAt, onBack])
  const run = async () => {
    await api.rebootCloudServer({ params: { id } })
    left.value = restartSeconds
    endsAt.value = Date.now() + restartSeconds * 1000
  }
  if (endsAt.value !== undefined)
    return (
      <Bar part={1 - left.value / restartSeconds} tone="warn" label={say('restarting', { n: left.value })} />
    )
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {say('restart')}
      </button>
      <Confirm isOpen={isOpen} title={say('restartConfirm')} yes={say('restart')} run={run}>
        <p>{say('restartText')}</p>
      </Confirm>
    </>
  )
}
