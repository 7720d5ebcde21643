/** Where spans go once they are over. */

export type SpanKind = 'server' | 'client' | 'internal'

export interface FinishedSpan {
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  /** Unix milliseconds, with fractions. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly isFailed: boolean
}

export interface SpanSink {
  /** Returns at once, whatever becomes of it. */
  add(span: FinishedSpan): void
  /** That were lost because nobody took them. */
  readonly dropped: number
  readonly sent: number
  close(): Promise<void>
}
