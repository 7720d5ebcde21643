import { useEffect } from 'preact/hooks'
import { Loading } from '../../../../kit/shown.tsx'
import { api } from '../../../../lib/api.ts'
import { cameBackWith } from '../../../../lib/entry/came-back.ts'
import { withReferral } from '../../../../lib/entry/referral.ts'
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

/** Somebody comes back from an identity provider or from Telegram. */
export const Arrived = ({ onEnter, onFailed }: ArrivedProps) => {
  useEffect(() => {
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
  }, [])
  return (
    <>
      <h1>{say('entering')}</h1>
      <Loading />
    </>
  )
}
