import { languageIn } from '@sallyport/domain/cabinet/visitor'
import type { FastifyInstance } from 'fastify'
import { send } from '../../core/web/answers.ts'
import { fileHeaders } from '../../core/web/document.ts'
import type { CabinetBuild } from './build.ts'
import { workerPolicy } from './page.ts'
import type { SettingsSource } from './settings-source.ts'

/** What was built, from memory. */

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
