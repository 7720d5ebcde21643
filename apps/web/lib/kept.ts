/** What stays in the browser. Storage may be refused or full; then it is as if nothing had been kept. */

export const prefix = 'sallyport:'

type Place = 'localStorage' | 'sessionStorage'

const read = <T>(place: Place, name: string): T | undefined => {
  try {
    const text = globalThis[place].getItem(prefix + name)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

const write = (place: Place, name: string, value: unknown): void => {
  try {
    if (value === undefined) globalThis[place].removeItem(prefix + name)
    else globalThis[place].setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Private windows and full disks: nothing depends on it.
  }
}

export const kept = <T>(name: string): T | undefined => read('localStorage', name)
export const keep = (name: string, value: unknown): void => write('localStorage', name, value)

/** Until the tab is closed, over reloads and over a visit to another site. */
export const keptInTab = <T>(name: string): T | undefined => read('sessionStorage', name)
export const keepInTab = (name: string, value: unknown): void => write('sessionStorage', name, value)

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

const forget = (isOver: (name: string) => boolean): void => {
  for (const name of keptNames('')) if (isOver(name)) keep(name, undefined)
}

/** Everything of the account that was signed in. Whatever begins with `device:` is the browser's own. */
export const forgetAccount = (): void => forget((name) => !name.startsWith('device:'))

/** What was read with the session that is over. */
export const forgetReads = (): void => forget((name) => name.startsWith('read:'))

/** Keys and codes that this tab was opened with. */
export const forgetTab = (): void => {
  try {
    sessionStorage.clear()
  } catch {
    // As above.
  }
}
