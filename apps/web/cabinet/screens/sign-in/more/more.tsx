import type { Signal } from '@preact/signals'
import { Problem } from '../../../../kit/problem.tsx'
import { api } from '../../../../lib/api.ts'
import { useResource } from '../../../../lib/resource.ts'
import { entryProblem } from '../../../../lib/session.ts'
import { loadStyle } from '../../../../lib/style.ts'
import type { Enter } from '../../../code/enter.ts'
import styleUrl from '../../../style/ways-in.css?url'
import { explained } from './failures.ts'
import { OtherWays } from './other-ways.tsx'
import { say } from './say.ts'
import { usePasskeyOffer, Ways } from './ways.tsx'

export { Arrived } from './arrived.tsx'
export { Welcome } from './welcome.tsx'

/** Every way to sign in beside mail. Nobody has it before it looks as it should. */
await loadStyle(styleUrl)

/** Leads to a way that does not hang on the one that is silent. */
const Slow = ({ way }: { readonly way: string }) => {
  const next = way === 'mail' ? 'device' : 'mail'
  const go = () => {
    const field = document.querySelector<HTMLInputElement>(`[data-way=${next}]`)
    const fold = field?.closest('details')
    if (fold) fold.open = true
    field?.focus()
  }
  return (
    <div class="notice slow" role="alert">
      <p>{say('slow', { way: way === 'mail' ? say('mailWay') : way })}</p>
      <button type="button" onClick={go}>
        {say(next === 'mail' ? 'nextMail' : 'nextDevice')}
      </button>
    </div>
  )
}

interface MoreProps {
  readonly onEnter: Enter
  /** What has not answered for a while. */
  readonly slow: Signal<string | undefined>
}

export const More = ({ onEnter, slow }: MoreProps) => {
  const methods = useResource('sign-in-methods', () => api.listSignInMethods())
  usePasskeyOffer(methods.data.value?.passkey === true, onEnter)
  const onSlow = (way: string) => {
    slow.value = way
  }
  return (
    <>
      {slow.value !== undefined && <Slow way={slow.value} />}
      {entryProblem.value !== undefined && (
        <Problem error={explained(entryProblem.value, 'telegramFailed')} />
      )}
      {methods.data.value && <Ways methods={methods.data.value} onEnter={onEnter} onSlow={onSlow} />}
      {methods.error.value !== undefined && (
        <p class="small">
          {say('waysFailed')}{' '}
          <button type="button" class="link" onClick={() => void methods.reload()}>
            {say('retry')}
          </button>
        </p>
      )}
      <OtherWays onEnter={onEnter} />
    </>
  )
}
