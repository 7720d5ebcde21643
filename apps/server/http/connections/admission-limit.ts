import { basePaths } from '@sallyport/contract/operation'

/**
 * How many requests may be worked on at once. Past the bound answering "later" at once serves more people than letting
 * everybody wait: what can be asked again goes first, what moves money or delivers access later, operators last.
 */

const healthPaths = new Set(['/healthz', '/readyz', '/metrics'])
const apiBases = Object.values(basePaths)

/** Without the query, and without the origin that a proxy's request has in front. */
export const pathOf = (url: string): string => {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  const end = path.indexOf('?')
  return end === -1 ? path : path.slice(0, end)
}

export const isApi = (url: string): boolean => {
  const path = pathOf(url)
  return apiBases.some((base) => path === base || path.startsWith(`${base}/`))
}

export const isAboutHealth = (url: string): boolean => healthPaths.has(pathOf(url))

/** Their documents are for anybody. */
const runsTheService = (path: string): boolean =>
  (path.startsWith(`${basePaths.operator}/`) || path.startsWith(`${basePaths.agent}/`)) &&
  !path.endsWith('/openapi.json')

/** What of the bound a request may use; null for what never waits in line: health. */
export const shareOf = (method: string, url: string): number | null => {
  const path = pathOf(url)
  if (healthPaths.has(path)) return null
  if (runsTheService(path)) return 1.5
  const isAskedAgain = method === 'GET' && !path.startsWith('/sub/')
  return isAskedAgain ? 1 : 1.25
}

export class AdmissionLimit {
  readonly #most: number
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  get length(): number {
    return this.#length
  }

  hasRoom(share: number): boolean {
    return this.#length < this.#most * share
  }

  /** Stands in line for as long as the work takes, whether or not its caller is still there. */
  async work<T>(run: () => Promise<T>): Promise<T> {
    this.enter()
    try {
      return await run()
    } finally {
      this.leave()
    }
  }

  enter(): void {
    this.#length++
  }

  leave(): void {
    this.#length--
  }
}
