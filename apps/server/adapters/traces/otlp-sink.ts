import type { FinishedSpan, SpanSink } from '../../ports/traces.ts'

/** Sends spans to a collector as OTLP over HTTP with JSON. A collector that is slow or away costs spans, and nothing else. */

export interface OtlpOptions {
  /** The base, as OTEL_EXPORTER_OTLP_ENDPOINT has it. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  /** Of every span: who says so. */
  readonly resource: Readonly<Record<string, string>>
  readonly onStateChange: (isTaken: boolean) => void
  readonly everyMs?: number
  readonly patienceMs?: number
}

/** More wait only when the collector does not take them. */
const mostWaiting = 4096
const mostTogether = 512
const longestText = 1000
const kinds = { internal: 1, server: 2, client: 3 } as const
const failed = { code: 2 }

const anyValue = (value: string | number | boolean) => {
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'string') return { stringValue: value.slice(0, longestText) }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

const attributesOf = (attributes: FinishedSpan['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

/** Whole nanoseconds do not fit into a number. */
const nanoseconds = (ms: number): string => (BigInt(Math.round(ms * 1000)) * 1000n).toString()

const encode = ({ parentId, ...span }: FinishedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(parentId !== undefined && { parentSpanId: parentId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: attributesOf(span.attributes),
  ...(span.isFailed && { status: failed }),
})

export class OtlpSink implements SpanSink {
  readonly #options: OtlpOptions
  readonly #url: string
  readonly #timer: NodeJS.Timeout
  #waiting: FinishedSpan[] = []
  #sending: Promise<void> | undefined
  #isTaken: boolean | undefined
  #isClosed = false
  dropped = 0
  sent = 0

  constructor(options: OtlpOptions) {
    this.#options = options
    this.#url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`
    this.#timer = setInterval(() => void this.#send(), options.everyMs ?? 2000)
    this.#timer.unref()
  }

  add(span: FinishedSpan): void {
    if (this.#isClosed || this.#waiting.length >= mostWaiting) {
      this.dropped++
      return
    }
    if (this.#waiting.push(span) === mostTogether) void this.#send()
  }

  /** What is left gets one try. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#sending
    await this.#send()
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendWaiting().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  /** One after another; a failure leaves the rest for the next time, when they may be fewer. */
  async #sendWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, mostTogether)
      const isTaken = await this.#post(spans)
      if (isTaken) this.sent += spans.length
      else this.dropped += spans.length
      if (isTaken !== this.#isTaken) this.#options.onStateChange(isTaken)
      this.#isTaken = isTaken
      if (!isTaken) return
    }
  }

  async #post(spans: readonly FinishedSpan[]): Promise<boolean> {
    const scopeSpans = [{ scope: { name: 'sallyport' }, spans: spans.map(encode) }]
    const resource = { attributes: attributesOf(this.#options.resource) }
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { ...this.#options.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        redirect: 'error',
        signal: AbortSignal.timeout(this.#options.patienceMs ?? 3000),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }
}
