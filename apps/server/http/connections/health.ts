import type { FastifyInstance } from 'fastify'

export interface HealthParts {
  readonly isStopping: () => boolean
  /** On a way of its own, that others cannot take. */
  readonly checkDatabase: () => Promise<unknown>
}

/** Liveness and readiness. */
export const healthRoutes = (app: FastifyInstance, parts: HealthParts): void => {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (parts.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await parts.checkDatabase()
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' })
    }
  })
}
