import { useEffect } from 'preact/hooks'
import { tell } from '../../../../kit/toast.tsx'
import { api, SallyportError } from '../../../../lib/api.ts'
import { cameBackWith, takeCameBack } from '../../../../lib/entry/came-back.ts'
import { keepInTab, keptInTab } from '../../../../lib/kept.ts'
import { arrivalIn } from '../../sign-in/more/arrival.ts'
import { say } from './say.ts'

const failureOf = (word: string): string => {
  if (word === 'denied') return say('linkDenied')
  return say(word === 'taken' ? 'linkTaken' : 'linkFailed')
}

const refused = (error: unknown): string =>
  failureOf(error instanceof SallyportError && error.statusCode === 409 ? 'taken' : '')

const mark = 'linking'

/** Known to this tab alone: a link that somebody sends must not tie their Telegram to this account. */
export const beginLinking = (): string => {
  const nonce = crypto.randomUUID()
  keepInTab(mark, nonce)
  return nonce
}

/** Once. */
const hasBegun = (): boolean => {
  const given = new URLSearchParams(location.search).get('link')
  const begun = keptInTab<string>(mark)
  keepInTab(mark, undefined)
  if (given !== null) history.replaceState(history.state, '', location.pathname)
  return given !== null && given === begun
}

/** Somebody comes back from linking a way to sign in. A provider's is linked by then; Telegram's proof is ours to send. */
export const useLinked = (onLinked: () => void): void => {
  useEffect(() => {
    takeCameBack()
    const arrival = arrivalIn(cameBackWith())
    const isOurs = hasBegun()
    if (arrival?.kind === 'failed') tell(failureOf(arrival.word))
    if (arrival?.kind === 'code') tell(say('linked'))
    if (arrival?.kind !== 'telegram') return
    if (!isOurs) return tell(failureOf(''))
    api.signInWithTelegram({ body: { ...arrival.widget, link: true } }).then(
      () => {
        onLinked()
        tell(say('linked'))
      },
      (error) => tell(refused(error)),
    )
  }, [])
}
