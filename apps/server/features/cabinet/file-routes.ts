import { languageIn } from '@sallyport/domain/cabinet/visitor'
import type { FastifyInstance } from 'fastify'
import { send } from './answers.ts'
import type { CabinetBuild } from './build.ts'
import { workerPolicy } from './page.ts'
import type { SettingsSource } from './settings-source.ts'

/** What was built, from memory. */

const yearSeconds = 31_536_000

/** Their names change with what is in them. */
const fileHeaders = {
  'cache-control': `public, max-age=${yearSeconds}, immutable`,
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
}

const workerHeaders = {
  'service-worker-allowed': '/',
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  vary: 'cookie, accept-language, accept-encoding',
}

export const fileRoutes = (app: FastifyInstance, build: CabinetBuild, settings: SettingsSource): void => {
  for (const [name, file] of build.files) {
    app.get(`/${name}`, async (request, reply) => send(request, reply.headers(fileHeaders), file))
  }
  app.get('/sw.js', async (request, reply) => {
    reply.headers({ ...workerHeaders, 'content-security-policy': workerPolicy(await settings.lastSeen()) })
    return send(request, reply, build.worker(languageIn(request.headers)))
  })
}
