/** Until the end of this turn of the event loop, so that what was asked for in it goes together. */

const waiting: (() => void)[] = []

const finish = (): void => {
  // Also what is added meanwhile: it belongs to this turn.
  for (const next of waiting) next()
  waiting.length = 0
}

/** What is given must not throw. */
export const whenTurnEnds = (next: () => void): void => {
  if (waiting.push(next) === 1) setImmediate(finish)
}
