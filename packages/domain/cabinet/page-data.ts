/** What the service writes into the page, as JSON in the element with this id. */
export const pageDataElement = 'page'

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
