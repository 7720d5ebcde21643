import type { DeviceRefusal } from '@sallyport/domain/delivery/device'
import { encodingFor } from '@sallyport/domain/delivery/encoding'
import { namesEtag } from '@sallyport/domain/delivery/etag'
import type { Format, Variant } from '@sallyport/domain/delivery/format'
import { notice } from '@sallyport/domain/delivery/formats/entry'
import { renderFormat } from '@sallyport/domain/delivery/formats/render'
import type { OfflineChoice } from '@sallyport/domain/delivery/offline'
import { notFoundPage } from '@sallyport/domain/delivery/page/notice-page'
import { canBeOpened, openPage } from '@sallyport/domain/delivery/page/open-page'
import { platformOf } from '@sallyport/domain/delivery/page/platform'
import { readTemplate } from '@sallyport/domain/delivery/templates/template'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/call.ts'
import { keyedHash } from '../../core/kernel/keyed-hash.ts'
import { Gate, type Toll } from '../../core/kernel/strangers.ts'
import { isOurSubscriptionKey } from '../../core/kernel/tokens.ts'
import { sha256 } from '../../core/kernel/vault.ts'
import { findEnabledTemplate } from '../../core/subscriptions/templates.ts'
import type { Db } from '../../db/client.ts'
import type { Limiter } from '../../ports/limiter.ts'
import {
  type Asking,
  admit,
  admitToOptions,
  hasMoreToDo,
  judgeKnown,
  noteSeen,
  nothingWithheld,
  readAskingDevice,
} from './admission.ts'
import { type Route, readLanguage, readWished, type Wished } from './asking.ts'
import { type Asked, readDelivered } from './entries.ts'
import { guessToll, refuseUnknownKey } from './guesses.ts'
import { deliveredHeaders, pageHeaders, sharedHeaders } from './headers.ts'
import { DeadNodes, type DeadSet } from './keeping/dead-nodes.ts'
import { Answer, KeptAnswers } from './keeping/kept.ts'
import { MovedTerms } from './keeping/moved.ts'
import { KnownOwners } from './keeping/owners.ts'
import { remembered } from './keeping/remembered.ts'
import { memoryOfMachine, roomForAnswers } from './keeping/room.ts'
import { KeptSettings, type Settings } from './keeping/settings.ts'
import { basisOf, chosenAddress, shownEntries } from './offline.ts'
import { linksOf, pageOf, pageOfRefusal } from './pages.ts'
import type { SubscriptionOwner } from './queries.ts'
import { noticeOptionRefusals, noticeRefusal, refusalHeaders, refusals } from './refusal.ts'

type SubscriptionRequest = FastifyRequest<Route>

const encodingOf = remembered((accepted) => encodingFor(accepted) ?? 'identity')

interface Served extends Asked {
  readonly settings: Settings
  readonly dead: DeadSet
  readonly offline: OfflineChoice
  readonly format: Format
  readonly variant: Variant | undefined
  readonly item: number | undefined
}

/** What the answer depends on beside the revision. */
const nameOf = ({ owner, format, variant, language, item, offline, withheld }: Served): string => {
  const name = `${owner.id} ${format} ${variant} ${language} ${item} ${offline}`
  return withheld.size === 0 ? name : [name, ...[...withheld].flat()].join(' ')
}

/** What was stored has been checked; one that a later release refuses gives way to the usual one. */
const readOwnTemplate = async (db: Db, subscriptionId: number) => {
  const text = await findEnabledTemplate(db, subscriptionId)
  const read = text === undefined ? undefined : readTemplate('xray', text)
  return read && 'template' in read ? read.template : undefined
}

const sendText = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`)

/** /sub/:key for client apps and browsers. Unknown, rotated and deleted keys are one and the same 404. */
export const deliveryRoutes = (
  app: FastifyInstance,
  services: Services,
  limiter: Limiter,
  publicUrl: () => string,
): void => {
  const { db, vault, clock, bus } = services
  const hashOfDevice = keyedHash(vault.subkey('devices'))
  const gate = new Gate()
  const owners = new KnownOwners(db, new MovedTerms(bus))
  const kept = new KeptAnswers(roomForAnswers(memoryOfMachine()))
  const keptSettings = new KeptSettings(db)
  const deadNodes = new DeadNodes(services)

  /** Whatever stands there is looked up: what cannot be a key takes the same steps as one that is gone. */
  const askedBy = ({ params, headers }: SubscriptionRequest): Asking => {
    const keyHash = sha256(params.key)
    return {
      keyHash,
      keyName: keyHash.toString('latin1'),
      device: readAskingDevice(hashOfDevice, keyHash, headers),
      headers,
      now: clock.now(),
    }
  }

  const ownerOf = ({ params }: SubscriptionRequest, asking: Asking, toll: Toll) => {
    const asked = { id: params.key, isOurs: isOurSubscriptionKey(vault, params.key) }
    return gate.find(asked, toll, () => owners.read(asking))
  }

  const admitFurther = async (owner: SubscriptionOwner, asking: Asking) => {
    const [withheld] = await Promise.all([
      admitToOptions(services, owner, asking),
      noteSeen(services, owner, asking),
    ])
    if (withheld) await noticeOptionRefusals(db, owner, withheld, asking.now)
    return withheld
  }

  const make = async (served: Served): Promise<Answer | undefined> => {
    const { owner, format, variant, language, settings } = served
    const delivered = await readDelivered(services, served)
    const entries = shownEntries(delivered, served)
    if (!entries) return undefined
    const own = format === 'xray' && owner.kind === 'custom' ? await readOwnTemplate(db, owner.id) : undefined
    const template = own ?? settings.templateFor(format, variant)
    const rendered = renderFormat(format, entries, { language, variant, template })
    return new Answer(rendered, owner.revision, delivered.validUntil, basisOf(delivered, served))
  }

  const addressOf = ({ params }: SubscriptionRequest): string => `${publicUrl()}/sub/${params.key}`

  const send = async (
    request: SubscriptionRequest,
    reply: FastifyReply,
    served: Served,
  ): Promise<FastifyReply> => {
    const { owner, now, settings, dead } = served
    const name = nameOf(served)
    const { revision } = owner
    const found = kept.find(name, revision, now)
    const isGood = found?.basis?.holds(settings.version, dead)
    const making = `${name} ${settings.version}`
    const answer = isGood ? found : await kept.make(making, revision, () => make(served))
    if (!answer) return sendText(reply, 404, 'There is no such entry')
    const form = answer.as(encodingOf(request.headers['accept-encoding']))
    kept.keep(name, answer)
    const told = { ...served, address: addressOf(request) }
    const headers = deliveredHeaders(told, answer, form)
    if (namesEtag(request.headers['if-none-match'], form.etag)) return reply.headers(headers).code(304).send()
    headers['content-type'] = answer.contentType
    if (form.encoding) headers['content-encoding'] = form.encoding
    return reply.headers(headers).send(form.body)
  }

  const sendPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    text: string,
    status = 200,
  ): FastifyReply => {
    const page = new Answer(
      { body: text, contentType: 'text/html; charset=utf-8', fileExtension: 'html' },
      0,
      0,
    )
    const { body, encoding } = page.as(encodingOf(request.headers['accept-encoding']))
    if (encoding) reply.header('content-encoding', encoding)
    return reply.code(status).headers(pageHeaders).type(page.contentType).send(body)
  }

  const visitOf = (
    request: SubscriptionRequest,
    { owner, settings, wished }: { owner: SubscriptionOwner; settings: Settings; wished: Wished },
  ) => ({
    owner,
    settings,
    language: wished.language,
    isLanguageAsked: wished.isLanguageAsked,
    offline: wished.offline,
    address: chosenAddress(addressOf(request), wished.offline),
    publicUrl: publicUrl(),
    userAgent: request.headers['user-agent'],
    now: clock.now(),
  })

  const refuse = async (
    request: SubscriptionRequest,
    reply: FastifyReply,
    refused: { owner: SubscriptionOwner; settings: Settings; wished: Wished; reason: DeviceRefusal },
  ): Promise<FastifyReply> => {
    const { owner, settings, wished, reason } = refused
    const { language } = wished
    const { format, variant } = wished.choose(owner.is_template_enabled)
    if (format === 'page') return sendPage(request, reply, pageOfRefusal(visitOf(request, refused), reason))
    await noticeRefusal(db, owner.user_id, reason, clock.now())
    const said = [notice(refusals[reason].title[language])]
    const template = settings.templateFor(format, variant)
    const answer = new Answer(renderFormat(format, said, { language, variant, template }), 0, 0)
    const { body, encoding } = answer.as(encodingOf(request.headers['accept-encoding']))
    // Never 304, and nothing to ask 304 with: an app must not go on with the links it had, nor keep this instead.
    const told = { owner, settings, language, address: addressOf(request) }
    reply.headers({ ...sharedHeaders(told), ...refusalHeaders(reason, language) })
    if (encoding) reply.header('content-encoding', encoding)
    return reply.header('cache-control', 'no-store').type(answer.contentType).send(body)
  }

  app.get<Route>('/sub/:key', async (request, reply) => {
    const wished = readWished(request)
    if ('problem' in wished) return sendText(reply, 400, wished.problem)
    const asking = askedBy(request)
    const toll = guessToll(limiter, request)
    const notFound = () => {
      const { format } = wished.choose(false)
      const page = async () => {
        const links = linksOf(await keptSettings.latest(), publicUrl())
        return sendPage(request, reply, notFoundPage(links, wished.language), 404)
      }
      return refuseUnknownKey(services, toll, request, reply, format === 'page' ? page : undefined)
    }
    // Whoever is known was let in a moment ago, so nobody guesses.
    const known = owners.known(asking)
    const asIs = known && (await owners.ask(asking, known))
    const owner = asIs === undefined ? await ownerOf(request, asking, toll) : asIs
    if (!owner) return notFound()
    const { format, variant } = wished.choose(owner.is_template_enabled)
    const isPage = format === 'page'
    const reason = judgeKnown(owner, asking) ?? (await admit(services, owner, asking))
    if (!reason) return notFound()
    const settings = await keptSettings.of(owner.settings_version)
    if (reason !== 'served') return refuse(request, reply, { owner, settings, wished, reason })
    const withheld = hasMoreToDo(owner, asking) ? await admitFurther(owner, asking) : nothingWithheld
    if (!withheld) return notFound()
    const dead = await deadNodes.at(asking.now)
    const { language, item, offline } = wished
    const asked = { owner, settings, dead, language, withheld, now: asking.now, item, offline }
    if (!isPage) return send(request, reply, { ...asked, format, variant })
    const page = await pageOf(services, { ...visitOf(request, { owner, settings, wished }), ...asked })
    if (page !== undefined) return sendPage(request, reply, page)
    // The key is right, so that nothing is guessed here.
    return sendPage(request, reply, notFoundPage(linksOf(settings, publicUrl()), language), 404)
  })

  app.get<{ Params: { app: string }; Querystring: { lang?: unknown } }>(
    '/open/:app',
    async (request, reply) => {
      const { language } = readLanguage(request)
      const settings = await keptSettings.latest()
      const found = settings.apps.find(({ id }) => id === request.params.app)
      if (!found || !canBeOpened(found)) {
        return sendPage(request, reply, notFoundPage(linksOf(settings, publicUrl()), language), 404)
      }
      const platform = platformOf(request.headers['user-agent'])
      const addressBase = `${publicUrl()}/sub/`
      return sendPage(
        request,
        reply,
        openPage(found, { language, platform, addressBase, title: settings.brand }),
      )
    },
  )
}
