import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hasSession } from './requests.ts'
import type { SettingsSource } from './settings-source.ts'

/**
 * Some networks let so many bytes of a connection through and then nothing. Where an operator has customers there, each answer has a
 * connection of its own.
 */
const closeAfter = (
  app: FastifyInstance,
  settings: SettingsSource,
  isMeant: (request: FastifyRequest) => boolean,
): void => {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isMeant(request)) return done()
    settings.lastSeen().then(
      ({ closesConnections }) => {
        if (closesConnections) reply.header('connection', 'close')
        done()
      },
      // Whoever needs the settings to answer will say that they cannot be had.
      () => done(),
    )
  })
}

/** Of every route that is added to `app` from now on. */
export const closesConnections = (app: FastifyInstance, settings: SettingsSource): void =>
  closeAfter(app, settings, () => true)

/** The same, where the customer is in the cabinet. */
export const closesConnectionsOfSessions = (app: FastifyInstance, settings: SettingsSource): void =>
  closeAfter(app, settings, hasSession)
