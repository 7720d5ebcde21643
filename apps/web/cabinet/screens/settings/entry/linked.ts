import { useEffect } from 'preact/hooks'
import { tell } from '../../../../kit/toast.tsx'
import { api, SallyportError } from '../../../../lib/api.ts'
import { cameBackWith, takeCameBack } from '../../../../lib/entry/came-back.ts'
import { arrivalIn } from '../../sign-in/more/arrival.ts'
import { say } from './say.ts'

const failureOf = (word: string): string => {
  if (word === 'denied') return say('linkDenied')
  return say(word === 'taken' ? 'linkTaken' : 'linkFailed')
}

const refused = (error: unknown): string =>
  failureOf(error instanceof SallyportError && error.statusCode === 409 ? 'taken' : '')

/** Somebody comes back from linking a way to sign in. A provider's is linked by then; Telegram's proof is ours to send. */
export const useLinked = (onLinked: () => void): void => {
  useEffect(() => {
    takeCameBack()
    const arrival = arrivalIn(cameBackWith())
    if (arrival?.kind === 'failed') tell(failureOf(arrival.word))
    if (arrival?.kind === 'code') tell(say('linked'))
    if (arrival?.kind !== 'telegram') return
    api.signInWithTelegram({ body: { ...arrival.widget, link: true } }).then(
      () => {
        onLinked()
        tell(say('linked'))
      },
      (error) => tell(refused(error)),
    )
  }, [])
}
