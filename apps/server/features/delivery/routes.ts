import type { DeviceRefusal } from '@sallyport/domain/delivery/device'
import { etagOf, namesEtag } from '@sallyport/domain/delivery/etag'
import { type Language, languageOf } from '@sallyport/domain/delivery/language'
import { placeholderLink } from '@sallyport/domain/delivery/render/placeholder'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/call.ts'
import { Gate, type Toll } from '../../core/kernel/strangers.ts'
import { isOurSubscriptionKey } from '../../core/kernel/tokens.ts'
import { sha256 } from '../../core/kernel/vault.ts'
import { listLiveStanding } from '../../core/vpn/care/standing.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { type Asking, admit, admitToOptions, noteSeen, readAskingDevice } from './admission.ts'
import { linksOf } from './entries.ts'
import { guessToll, refuseUnknownKey } from './guesses.ts'
import { findOwner, listLiveConfigs, type SubscriptionOwner } from './queries.ts'
import { hwidActive, noticeOptionRefusals, noticeRefusal, refusalHeaders, refusals } from './refusal.ts'

type Route = { Params: { key: string } }
type SubscriptionRequest = FastifyRequest<Route>

const updateIntervalHours = 12
const keyShape = /^[0-9A-Za-z]{32}$/

const nothingLive: Readonly<Record<Language, string>> = {
  ru: 'Нет активных конфигураций — купите или продлите в личном кабинете',
  en: 'No active configurations: buy or renew one in your account',
}

const userInfo = (owner: SubscriptionOwner): string =>
  `upload=${owner.upload}; download=${owner.download}; total=0; expire=${owner.expires_at ?? 0}`

const sharedHeaders = (owner: SubscriptionOwner, publicUrl: string) => ({
  'referrer-policy': 'no-referrer',
  vary: 'user-agent, accept, accept-language, x-hwid',
  'subscription-userinfo': userInfo(owner),
  'profile-title': `base64:${Buffer.from('Sallyport').toString('base64')}`,
  'profile-update-interval': updateIntervalHours,
  'profile-web-page-url': publicUrl,
  'content-disposition': 'attachment; filename=sallyport',
})

const encode = (links: readonly string[]): string => Buffer.from(links.join('\n')).toString('base64')

const sendLinks = (
  reply: FastifyReply,
  request: FastifyRequest,
  owner: SubscriptionOwner,
  links: readonly string[],
  publicUrl: string,
): FastifyReply => {
  const body = encode(links)
  const shared = sharedHeaders(owner, publicUrl)
  const etag = etagOf(`${shared['subscription-userinfo']}
${body}`)
  reply.headers({ ...shared, etag, 'cache-control': 'private, no-cache' })
  if (owner.device_limit > 0 || owner.block_unknown_devices) reply.headers(hwidActive)
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('text/plain; charset=utf-8').send(body)
}

/** Never 304, and nothing to ask 304 with: an app must not go on with the links it had, nor keep this in their place. */
const sendRefusal = (
  reply: FastifyReply,
  owner: SubscriptionOwner,
  reason: DeviceRefusal,
  language: Language,
  publicUrl: string,
): FastifyReply =>
  reply
    .headers({
      ...sharedHeaders(owner, publicUrl),
      ...refusalHeaders(reason, language),
      'cache-control': 'no-store',
    })
    .type('text/plain; charset=utf-8')
    .send(encode([placeholderLink(refusals[reason].title[language])]))

/** /sub/:key for client apps. Unknown, rotated and deleted keys are one and the same 404. */
export const deliveryRoutes = (
  app: FastifyInstance,
  services: Services,
  limiter: Limiter,
  publicUrl: () => string,
): void => {
  const { db, vault, clock } = services
  const devicesKey = vault.subkey('devices')
  const gate = new Gate()

  const askedBy = ({ params, headers }: SubscriptionRequest): Asking | undefined => {
    if (!keyShape.test(params.key)) return undefined
    const keyHash = sha256(params.key)
    return { keyHash, device: readAskingDevice(devicesKey, keyHash, headers), headers, now: clock.now() }
  }

  const ownerOf = ({ params }: SubscriptionRequest, asking: Asking, toll: Toll) => {
    const asked = { id: params.key, isOurs: isOurSubscriptionKey(vault, params.key) }
    return gate.find(asked, toll, () => findOwner(db, asking.keyHash, asking.device, asking.now))
  }

  app.get<Route>('/sub/:key', async (request, reply) => {
    const asking = askedBy(request)
    const toll = guessToll(limiter, request)
    const owner = asking && (await ownerOf(request, asking, toll))
    const verdict = owner && (await admit(services, owner, asking))
    if (!verdict) return refuseUnknownKey(services, toll, request, reply)
    const language = languageOf(request.headers['accept-language'])
    if (verdict !== 'served') {
      await noticeRefusal(db, owner.user_id, verdict, asking.now)
      return sendRefusal(reply, owner, verdict, language, publicUrl())
    }
    const [rows, standing, withheld] = await Promise.all([
      listLiveConfigs(db, owner.user_id, asking.now, language === 'en'),
      owner.has_machines ? listLiveStanding(services, owner.user_id, asking.now) : [],
      admitToOptions(services, owner, asking),
      noteSeen(services, owner, asking),
    ])
    if (!withheld) return refuseUnknownKey(services, toll, request, reply)
    await noticeOptionRefusals(db, owner, withheld, asking.now)
    const links = linksOf(vault, rows, standing, owner.options, withheld, language)
    const shown = links.length > 0 ? links : [placeholderLink(nothingLive[language])]
    return sendLinks(reply, request, owner, shown, publicUrl())
  })
}
