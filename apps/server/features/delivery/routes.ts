import { per } from '@sallyport/contract/operation'
import { etagOf, namesEtag } from '@sallyport/domain/etag'
import { ipKey } from '@sallyport/domain/ip-key'
import { type Language, languageOf } from '@sallyport/domain/language'
import { connectionUrl } from '@sallyport/domain/render/link'
import { placeholderLink } from '@sallyport/domain/render/placeholder'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/call.ts'
import { endpointsOf } from '../../core/endpoints.ts'
import { sha256 } from '../../core/vault.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { findOwner, listLiveConfigs, type SubscriptionOwner } from './queries.ts'

/** Wrong keys an address may try; right ones are not counted. */
const guessLimit = per(30, 60)
const updateIntervalHours = 12
const keyShape = /^[0-9A-Za-z]{32}$/

const nothingLive: Readonly<Record<Language, string>> = {
  ru: 'Нет активных конфигураций — купите или продлите в личном кабинете',
  en: 'No active configurations: buy or renew one in your account',
}

const userInfo = (owner: SubscriptionOwner): string =>
  `upload=${owner.upload}; download=${owner.download}; total=0; expire=${owner.expires_at ?? 0}`

const sendLinks = (
  reply: FastifyReply,
  request: FastifyRequest,
  owner: SubscriptionOwner,
  links: readonly string[],
  publicUrl: string,
): FastifyReply => {
  const body = Buffer.from(links.join('\n')).toString('base64')
  const info = userInfo(owner)
  const etag = etagOf(`${info}
${body}`)
  reply.headers({
    etag,
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    vary: 'user-agent, accept, accept-language',
    'subscription-userinfo': info,
    'profile-title': `base64:${Buffer.from('Sallyport').toString('base64')}`,
    'profile-update-interval': updateIntervalHours,
    'profile-web-page-url': publicUrl,
    'content-disposition': 'attachment; filename=sallyport',
  })
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('text/plain; charset=utf-8').send(body)
}

/** /sub/:key for client apps. Unknown, rotated and deleted keys are one and the same 404. */
export const deliveryRoutes = (
  app: FastifyInstance,
  services: Services,
  limiter: Limiter,
  publicUrl: () => string,
): void => {
  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const taken = await limiter.take(`sub:ip:${ipKey(request.ip)}`, guessLimit)
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store')
    if (taken.isAllowed) return reply.code(404).send('Not found\n')
    return reply.code(429).header('retry-after', taken.retryAfterSeconds).send('Too Many Requests\n')
  }

  app.get<{ Params: { key: string } }>('/sub/:key', async (request, reply) => {
    const { key } = request.params
    const { db, vault, clock } = services
    const owner = keyShape.test(key) ? await findOwner(db, sha256(key)) : undefined
    if (!owner) return refuse(request, reply)
    const language = languageOf(request.headers['accept-language'])
    const rows = await listLiveConfigs(db, owner.user_id, clock.now(), language === 'en')
    const links = endpointsOf(vault, rows).map(connectionUrl)
    return sendLinks(
      reply,
      request,
      owner,
      links.length > 0 ? links : [placeholderLink(nothingLive[language])],
      publicUrl(),
    )
  })
}
