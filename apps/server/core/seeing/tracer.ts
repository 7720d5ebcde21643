import { randomBytes } from 'node:crypto'
import type { OpenSpan, SpanAttributes } from '../../db/cause.ts'
import type { SpanKind, SpanSink } from '../../ports/traces.ts'

/** Makes spans of what is chosen to be traced. What is not chosen has none, and costs nothing. */

interface Beginning {
  readonly traceId: string
  readonly parentId?: string | undefined
  readonly kind: SpanKind
  readonly attributes: SpanAttributes
}

const nowMs = (): number => performance.timeOrigin + performance.now()

export class TracedSpan implements OpenSpan {
  readonly #sink: SpanSink
  readonly #at: Beginning
  readonly #spanId = randomBytes(8).toString('hex')
  readonly #startMs = nowMs()
  readonly #more: Record<string, string | number | boolean> = {}
  #name: string
  #isOver = false

  constructor(sink: SpanSink, name: string, at: Beginning) {
    this.#sink = sink
    this.#name = name
    this.#at = at
  }

  begin(name: string, attributes: SpanAttributes = {}): TracedSpan {
    const kind = name.startsWith('db ') || name.startsWith('call ') ? 'client' : 'internal'
    const { traceId } = this.#at
    return new TracedSpan(this.#sink, name, { traceId, parentId: this.#spanId, kind, attributes })
  }

  /** What is known later. */
  note(name: string, attributes: SpanAttributes): void {
    this.#name = name
    Object.assign(this.#more, attributes)
  }

  end(failure?: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    // The words of an error may hold what a table or a customer says; what it is called does not.
    const error =
      failure === undefined ? {} : { 'error.type': failure instanceof Error ? failure.name : 'unknown' }
    this.#sink.add({
      ...this.#at,
      parentId: this.#at.parentId,
      spanId: this.#spanId,
      name: this.#name,
      startMs: this.#startMs,
      endMs: nowMs(),
      attributes: { ...this.#at.attributes, ...this.#more, ...error },
      isFailed: failure !== undefined,
    })
  }
}

const traceparent = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

export class Tracer {
  readonly #sink: SpanSink
  readonly #ratio: number

  constructor(sink: SpanSink, ratio: number) {
    this.#sink = sink
    this.#ratio = ratio
  }

  /** Undefined for what is not traced. Where somebody who is believed has chosen already, that counts. */
  begin(
    name: string,
    kind: SpanKind,
    attributes: SpanAttributes = {},
    parent?: string,
  ): TracedSpan | undefined {
    const [, traceId, parentId, flags] = traceparent.exec(parent ?? '') ?? []
    const isChosen =
      flags === undefined ? Math.random() < this.#ratio : (Number.parseInt(flags, 16) & 1) === 1
    if (!isChosen) return undefined
    const at = { traceId: traceId ?? randomBytes(16).toString('hex'), parentId, kind, attributes }
    return new TracedSpan(this.#sink, name, at)
  }
}
