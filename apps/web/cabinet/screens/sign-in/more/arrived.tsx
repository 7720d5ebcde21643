import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Card } from '../../../../kit/look.tsx'
import { Loading } from '../../../../kit/shown.tsx'
import { api } from '../../../../lib/api.ts'
import { cameBackWith, hasAsked } from '../../../../lib/entry/came-back.ts'
import { withReferral } from '../../../../lib/entry/referral.ts'
import { isSignedIn } from '../../../../lib/session.ts'
import type { Enter } from '../../../code/enter.ts'
import { type Arrival, arrivalIn } from './arrival.ts'
import { arrivalFailure, explained } from './failures.ts'
import { say } from './say.ts'

const finish = (arrival: Arrival) => {
  if (arrival.kind === 'failed') throw arrivalFailure(arrival.word)
  return arrival.kind === 'code'
    ? api.signInWithCode({ body: { code: arrival.code } })
    : withReferral((referral) => api.signInWithTelegram({ body: { ...arrival.widget, ...referral } }))
}

interface ArrivedProps {
  readonly onEnter: Enter
  readonly onFailed: (problem: unknown) => void
}

/** Somebody comes back from an identity provider or from Telegram. What nobody here has asked for is not done without a press. */
export const Arrived = ({ onEnter, onFailed }: ArrivedProps) => {
  const isSure = useSignal(hasAsked() && !isSignedIn.value)
  useEffect(() => {
    if (!isSure.value) return
    const come = async () => {
      const arrival = arrivalIn(cameBackWith())
      if (!arrival) return onFailed(undefined)
      try {
        onEnter(await finish(arrival))
      } catch (error) {
        onFailed(explained(error, arrival.kind === 'code' ? 'expired' : 'refusedThere'))
      }
    }
    void come()
  }, [isSure.value])
  if (isSure.value)
    return (
      <>
        <h1>{say('entering')}</h1>
        <Loading />
      </>
    )
  const enter = () => {
    isSure.value = true
  }
  return (
    <>
      <h1>{say('byLink')}</h1>
      <Card>
        <p>{say('byLinkText')}</p>
        <div class="acts">
          <button type="button" class="p" onClick={enter}>
            {say('byLinkYes')}
          </button>
          <button type="button" onClick={() => onFailed(undefined)}>
            {say('byLinkNo')}
          </button>
        </div>
      </Card>
    </>
  )
}
