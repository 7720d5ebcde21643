import type { Logger } from 'pino'
import { OtlpSink } from '../../adapters/traces/otlp-sink.ts'
import type { Config } from '../../config.ts'
import { Tracer } from '../../core/seeing/tracer.ts'
import { spanning } from '../../db/cause.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { PaymentProvider } from '../../ports/payments.ts'
import type { SpanSink } from '../../ports/traces.ts'
import type { PostWebhook } from '../../ports/webhooks.ts'

/** Traces, where somebody collects them. Nothing of it is there otherwise. */

export interface Traces {
  readonly tracer: Tracer
  readonly sink: SpanSink
}

export const chooseTraces = ({ traces }: Config, log: Logger): Traces | undefined => {
  if (!traces) return undefined
  const sink = new OtlpSink({
    endpoint: traces.endpoint,
    headers: traces.headers,
    resource: { 'service.name': traces.serviceName, 'service.version': packageJson.version },
    onStateChange: (isTaken) =>
      log[isTaken ? 'info' : 'warn'](
        isTaken ? 'traces are collected' : 'nobody collects the traces; they are dropped',
      ),
  })
  return { tracer: new Tracer(sink, traces.ratio), sink }
}

/** The same, with what it asks of the provider as spans. What was asked about is not told. */
export const tracedProvider = (provider: PaymentProvider): PaymentProvider => {
  const { name, methods, currencies } = provider
  const called = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    spanning(`call ${name} ${what}`, { 'sallyport.provider': name }, work)
  return {
    name,
    methods,
    currencies,
    create: (charge) => called('create', () => provider.create(charge)),
    read: (payment) => called('read', () => provider.read(payment)),
    refund: (refund) => called('refund', () => provider.refund(refund)),
    judge: (request) => provider.judge(request),
    interpret: (body) => provider.interpret(body),
    check: () => provider.check(),
  }
}

/** The rest of the address may be somebody's secret. */
export const tracedPost =
  (post: PostWebhook): PostWebhook =>
  (event) =>
    spanning('call webhook', { 'server.address': new URL(event.url).hostname }, () => post(event))
