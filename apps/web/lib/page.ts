/** What the service wrote into the page. */

export interface PageData {
  /** What the service is called. */
  readonly name: string
  readonly supportUrl: string | null
  readonly welcome: string | null
  /** Whether there are rules to read at /rules. */
  readonly hasRules: boolean
  readonly hasLogo: boolean
  /** Other addresses of the same service. */
  readonly mirrors: readonly string[]
  /** The browser came with a session; whether it is good, the first answer tells. */
  readonly isSignedIn: boolean
  /** Where the service is reached, for links that are copied. */
  readonly origin: string
  /** The service's clock, in seconds: the customer's own may be wrong. */
  readonly now: number
}

const unknown: PageData = {
  name: 'Sallyport',
  supportUrl: null,
  welcome: null,
  hasRules: false,
  hasLogo: false,
  mirrors: [],
  isSignedIn: false,
  origin: '',
  now: 0,
}

const read = (): PageData => {
  const text = globalThis.document?.getElementById('page')?.textContent
  return text ? { ...unknown, ...JSON.parse(text) } : unknown
}

export const page: PageData = read()

/** How far the customer's clock is behind the service's, in seconds. */
const behind = page.now === 0 ? 0 : page.now - Date.now() / 1000

/** The service's time: ends are told by it. */
export const now = (): number => Date.now() / 1000 + behind
