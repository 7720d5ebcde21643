import type { FastifyInstance } from 'fastify'
import { Distribution } from '../../core/seeing/distribution.ts'
import { type Family, histogram } from './families.ts'

/**
 * How long requests take, by operation and by the first digit of the status. What may be a label is bounded: the operations of the
 * tables and the few names below, never anything that a caller says.
 */

/** Seconds. Agents that wait for news are beyond the last. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Routes that are no operations, by the beginning of their address. */
const otherNames: readonly (readonly [RegExp, string])[] = [
  [/^\/(healthz|readyz|metrics)$/, 'health'],
  [/^\/sub\//, 'subscription'],
  [/^\/webhooks\//, 'provider_webhook'],
  [/^\/pay\//, 'sandbox_page'],
  [/^\/install\//, 'install'],
  [/^\/docs|openapi\.json$|\/errors(\.|\/|$)/, 'docs'],
  [/^\/console/, 'console'],
]

const nameOf = (url: string): string => otherNames.find(([pattern]) => pattern.test(url))?.[1] ?? 'page'

/** By the first digit of the status; a place is empty until it is needed. */
type Times = (Distribution | undefined)[]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation's name in its table. */
    operation?: string
    times?: Times
  }
}

export class RequestTimes {
  readonly #byOperation = new Map<string, Times>()
  readonly #unknown: Times

  constructor() {
    this.#unknown = this.#of('unknown')
  }

  /** Before the routes are added. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', (route) => {
      const operation = route.config?.operation ?? nameOf(route.url)
      route.config = { ...route.config, operation, times: this.#of(operation) }
    })
    app.addHook('onResponse', (request, reply, done) => {
      const times = request.routeOptions.config?.times ?? this.#unknown
      const at = (reply.statusCode / 100) | 0
      times[at] ??= new Distribution(bounds)
      times[at].observe(reply.elapsedTime / 1000)
      done()
    })
  }

  get family(): Family {
    return histogram('sallyport_http_request_seconds', 'Time from the request to the end of its answer', () =>
      [...this.#byOperation].flatMap(([operation, times]) =>
        times.flatMap((observed, at) =>
          observed ? [[{ operation, status: `${at}xx` }, observed] as const] : [],
        ),
      ),
    )
  }

  /** One operation has one, however many routes it has. */
  #of(operation: string): Times {
    const known = this.#byOperation.get(operation)
    if (known) return known
    const times: Times = []
    this.#byOperation.set(operation, times)
    return times
  }
}
