import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { startAuthentication } from '@simplewebauthn/browser'
import { Act } from '../../kit/act.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { sayIn } from '../../lib/language.ts'
import { api } from '../api.ts'
import { asked, settle } from './proof.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']

const prove = async (): Promise<void> => {
  const optionsJSON = (await api.startOperatorProof()) as Options
  const body = await startAuthentication({ optionsJSON })
  await api.verifyOperatorProof({ body: body as Parameters<typeof api.verifyOperatorProof>[0]['body'] })
  settle(true)
}

/** Stands over whatever was pressed, which goes on when the passkey has answered. */
export const ProofDialog = () => {
  const isAsked = useComputed(() => asked.value.length > 0)
  const isOpen = useSignal(false)
  useSignalEffect(() => {
    isOpen.value = isAsked.value
  })
  useSignalEffect(() => {
    if (!isOpen.value && asked.peek().length > 0) settle(false)
  })
  return (
    <Dialog isOpen={isOpen} title={say('proofTitle')}>
      <p>{say('proofText')}</p>
      <div class="acts">
        <Act kind="p" run={prove}>
          {say('prove')}
        </Act>
      </div>
      <p class="small">
        {say('proofNoPasskey')} <a href="/console/me">{say('toMe')}</a>
      </p>
    </Dialog>
  )
}
