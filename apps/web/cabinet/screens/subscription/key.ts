import { keepInTab, keptInTab } from '../../../lib/kept.ts'

/** The key of a subscription, which the subscription's page puts into the fragment. */

const name = 'subscription-key'

/** Out of the address at once, and kept for this tab alone: whoever has it sees the subscription. */
export const takeKey = (): string | undefined => {
  const given = location.hash.slice(1)
  if (given === '') return keptInTab(name)
  keepInTab(name, given)
  history.replaceState(history.state, '', location.pathname + location.search)
  return given
}

export const forgetKey = (): void => keepInTab(name, undefined)
