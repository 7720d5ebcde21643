/** What stays in the browser. Storage may be refused or full; then it is as if nothing had been kept. */

const prefix = 'sallyport:'

export const kept = <T>(name: string): T | undefined => {
  try {
    const text = localStorage.getItem(prefix + name)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

export const keep = (name: string, value: unknown): void => {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Private windows and full disks: nothing depends on it.
  }
}

/** Of what is kept, the names that begin so. */
export const keptNames = (start: string): string[] => {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix + start))
      .map((name) => name.slice(prefix.length))
  } catch {
    return []
  }
}

/** Everything of the account that was signed in. Whatever begins with `device:` is the browser's own. */
export const forgetAccount = (): void => {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(prefix) && !name.startsWith(`${prefix}device:`)) localStorage.removeItem(name)
    }
  } catch {
    // As above.
  }
}
