import type { FastifyInstance } from 'fastify'
import type { Services } from '../../core/call.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { openRoute } from './browser/open-route.ts'
import type { Route } from './fetch-request.ts'
import { SubscriptionAnswers } from './subscription-answers.ts'

/** /sub/:key for client apps and browsers, and what leads to their apps. */
export const deliveryRoutes = (
  app: FastifyInstance,
  services: Services,
  limiter: Limiter,
  publicUrl: () => string,
): void => {
  const answers = new SubscriptionAnswers(services, limiter, publicUrl)
  app.get<Route>('/sub/:key', (request, reply) => answers.answer(request, reply))
  const { pages, settingsCache } = answers
  openRoute(app, { pages, settingsCache, publicUrl })
}
