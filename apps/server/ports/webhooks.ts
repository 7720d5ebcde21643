/** One signed event on its way to an address that an operator named. */

export interface WebhookPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Ends the try. */
  readonly signal: AbortSignal
}

/** Only an answer between 200 and 299 is a success. */
export interface WebhookOutcome {
  /** Null when no answer came. */
  readonly status: number | null
  /** Null when it was accepted. */
  readonly error: string | null
}

/** Never throws: whatever goes wrong is an outcome. */
export type PostWebhook = (post: WebhookPost) => Promise<WebhookOutcome>
