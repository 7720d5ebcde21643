/** So long a way to sign in may be silent before the next one is offered. */
export const patienceMs = 5000

/** The work goes on; it is only said that it has not answered. */
export const watched = async <T>(work: Promise<T>, onSlow: () => void): Promise<T> => {
  const timer = setTimeout(onSlow, patienceMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** The page stays as long as the other site does not answer. */
export const goTo = (address: string, onSlow: () => void): void => {
  const timer = setTimeout(onSlow, patienceMs)
  addEventListener('pagehide', () => clearTimeout(timer), { once: true })
  location.assign(address)
}
