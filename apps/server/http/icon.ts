import { etagOf, namesEtag } from '@sallyport/domain/delivery/etag'
import type { FastifyInstance } from 'fastify'

/** A gate, 32 by 32. What windows of pages show beside their title; browsers ask for it by this name. */
const icon = Buffer.from(
  'AAABAAEAICAAAAEAIAAGAQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAQDAAAAgVRnxwAAACRQTFRFAAAAC25fC25fC25f' +
    'C25fNIZ6////rs/K1ufkXJ6UC25fhbavGuTwLQAAAAV0Uk5TACpVgNTdris2AAAAjElEQVR42mNgYDRZBQfOAgwMDFqrkMAiBgam' +
    'VShAgUEKVWAhgxWqwGIGL1SBJQxQxuydUAZUoCwtLR1ZICINCFqRBNpAAhkIgeVpaTtnp6VVwQWWgZRHpGXBBaalzVq1amVaJlxg' +
    'WxqITMtGCIDNa0MSALuhbAgIQMIPQmIGMkY0YEQURlRiRDZ6cgAAixg0uKxhNcMAAAAASUVORK5CYII=',
  'base64',
)
const etag = etagOf(icon)
const daySeconds = 86_400

export const iconRoute = (app: FastifyInstance): void => {
  app.get('/favicon.ico', async (request, reply) => {
    reply.headers({ etag, 'cache-control': `public, max-age=${7 * daySeconds}` })
    if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('image/x-icon').send(icon)
  })
}
