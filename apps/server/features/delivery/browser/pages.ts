import type { DeviceRefusal } from '@sallyport/domain/delivery/device'
import { notFoundPage, refusedPage } from '@sallyport/domain/delivery/page/notice-page'
import type { Language } from '@sallyport/domain/text/language'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/call.ts'
import type { Answer } from '../cache/answers.ts'
import type { Settings } from '../cache/settings.ts'
import type { DeliveryReader } from '../entries.ts'
import type { KeyFetch } from '../key-fetch.ts'
import { chosenAddress } from '../offline.ts'
import type { SubscriptionOwner } from '../queries.ts'
import type { PageCache, SharedPage } from './page-cache.ts'
import { QuotaReader } from './quotas.ts'
import { cachedPageOf, linksOf, type PageParts, type PageRequest } from './subscription-page.ts'

/** What does not follow from the fetch itself. */
export type PageWish = Omit<PageRequest, 'key' | 'publicUrl' | 'userAgent'>

export interface FoundPage {
  readonly name: string
  readonly answer: Answer
}

/** What browsers are sent. */
export class BrowserPages {
  readonly #parts: PageParts
  readonly #cache: PageCache
  readonly #publicUrl: () => string

  constructor(services: Services, reader: DeliveryReader, cache: PageCache, publicUrl: () => string) {
    this.#parts = { services, reader, quotas: new QuotaReader(services.db) }
    this.#cache = cache
    this.#publicUrl = publicUrl
  }

  /** The seconds to wait for another page of this key, or undefined. */
  waitOf({ id }: SubscriptionOwner): Promise<number | undefined> {
    return this.#cache.waitOf(id)
  }

  /** Of one entry, or of everything. Undefined where there is no such entry. */
  async find(wanted: PageWish, { key, keyName, headers }: KeyFetch): Promise<FoundPage | undefined> {
    const address = chosenAddress(wanted.address, wanted.offline)
    const request = {
      ...wanted,
      key,
      address,
      publicUrl: this.#publicUrl(),
      userAgent: headers['user-agent'],
    }
    const page = await cachedPageOf(this.#parts, request, keyName)
    const answer = await this.#cache.find(page)
    return answer && { name: page.name, answer }
  }

  send(request: FastifyRequest, reply: FastifyReply, { name, answer }: FoundPage): FastifyReply {
    return this.#cache.send(request, reply, name, answer)
  }

  /** For a browser that may not see more than why. */
  refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    { settings, language }: Pick<PageRequest, 'settings' | 'language'>,
    reason: DeviceRefusal,
  ): FastifyReply {
    return this.sendShared(request, reply, {
      name: `refused ${reason} ${language}`,
      settings,
      status: 200,
      make: () => refusedPage(reason, linksOf(settings, this.#publicUrl(), '/devices'), language),
    })
  }

  sendNotFound(
    request: FastifyRequest,
    reply: FastifyReply,
    settings: Settings,
    language: Language,
  ): FastifyReply {
    return this.sendShared(request, reply, {
      name: `404 ${language}`,
      settings,
      status: 404,
      make: () => notFoundPage(linksOf(settings, this.#publicUrl(), '/'), language),
    })
  }

  /** Of nobody's subscription. */
  sendShared(request: FastifyRequest, reply: FastifyReply, shared: SharedPage): FastifyReply {
    return this.#cache.sendShared(request, reply, shared)
  }
}
