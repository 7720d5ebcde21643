import type { api } from '../../api.ts'
import { tickedIn } from '../../kit/forms/ticks.tsx'

/** What was filled in, as the operation takes it. */

export type Wish = NonNullable<NonNullable<Parameters<typeof api.createAgentUpgrade>[0]>['body']>

/** "1, 5, 25, 100" in whatever way people write lists. What is no number is for the service to refuse. */
export const readShares = (text: string): number[] =>
  text
    .split(/[\s,;%]+/)
    .filter((one) => one !== '')
    .map(Number)

/** Nodes that are named are a wave of their own, before all others. */
export const readWish = (filled: Readonly<Record<string, string>>): Wish => {
  const first = tickedIn(filled, 'first').map(Number)
  const shares = readShares(filled.waves ?? '')
  return {
    waves: [...(first.length > 0 ? [first] : []), ...shares],
    pause_seconds: Math.round(Number(filled.pause_seconds) * 60),
    most_ill: Number(filled.most_ill),
    automatic: filled.automatic === 'on',
  }
}
