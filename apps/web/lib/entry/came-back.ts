import { keepInTab, keptInTab } from '../kept.ts'

/** What a sign-in elsewhere comes back with. It stands in the fragment, where some screens expect something of their own. */

const shape = /[#&](sign_in_code|sign_in_error|tgAuthResult)=/
const asked = 'fragment'

let fragment = ''
let isAsked = false

/** Out of the address at once: it is good for one use. What the page had been asked for with is put back. */
export const takeCameBack = (): void => {
  if (!shape.test(location.hash)) return
  fragment = location.hash
  const left = keptInTab<string>(asked)
  isAsked = left !== undefined
  keepInTab(asked, undefined)
  history.replaceState(history.state, '', location.pathname + location.search + (left ?? ''))
}

export const hasCameBack = (): boolean => {
  takeCameBack()
  return fragment !== ''
}

/** This tab went there by itself. Anything else is a link that somebody sent, and may be to an account of theirs. */
export const hasAsked = (): boolean => isAsked

/** Once: whoever asks uses it up. */
export const cameBackWith = (): string => {
  const given = fragment
  fragment = ''
  return given
}

/** Where to come back to. What stands in the fragment, as the code of a gift, is sent to nobody and waits here. */
export const leaveAddress = (): string => {
  keepInTab(asked, location.hash)
  return location.pathname + location.search
}
