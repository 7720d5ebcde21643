import { basePaths } from '@sallyport/contract/operation'

/**
 * How many requests may be at work or wait at once. Past the bound answering "later" at once serves more people than
 * letting everybody wait: what can be asked again goes first, what moves money or delivers access later, operators last.
 */

const healthPaths = new Set(['/healthz', '/readyz', '/metrics'])
const longPoll = `${basePaths.agent}/state`

const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

export const isAboutHealth = (url: string): boolean => healthPaths.has(pathOf(url))

/** What of the bound a request may use; null for what never waits in line: health, and agents that wait for news. */
export const shareOf = (method: string, url: string): number | null => {
  if (isAboutHealth(url) || pathOf(url) === longPoll) return null
  if (url.startsWith(`${basePaths.operator}/`) || url.startsWith(`${basePaths.agent}/`)) return 1.5
  const isAskedAgain = method === 'GET' && !url.startsWith('/sub/')
  return isAskedAgain ? 1 : 1.25
}

export class WaitingLine {
  readonly #most: number
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  get length(): number {
    return this.#length
  }

  /** False when the line is too long for this request. */
  join(share: number): boolean {
    if (this.#length >= this.#most * share) return false
    this.#length++
    return true
  }

  leave(): void {
    this.#length--
  }
}
