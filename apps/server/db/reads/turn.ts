/** Until the end of this turn of the event loop, so that what was asked for in it goes together. */

const waiting: (() => void)[] = []

const finish = (): void => {
  let next = 0
  try {
    // Also what is added meanwhile: it belongs to this turn.
    for (; next < waiting.length; next++) (waiting[next] as () => void)()
  } finally {
    waiting.splice(0, next + 1)
    // One that threw keeps nobody else waiting.
    if (waiting.length > 0) setImmediate(finish)
  }
}

export const whenTurnEnds = (next: () => void): void => {
  if (waiting.push(next) === 1) setImmediate(finish)
}
