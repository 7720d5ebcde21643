import { randomUUID } from 'node:crypto'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { operatorWebhooks } from '@sallyport/contract/operator/webhooks/webhooks'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { endpointProblem } from '../../../core/webhooks/endpoint-address.ts'
import { newSecret, openSecret, sealSecret, signedPost } from '../../../core/webhooks/signature.ts'
import { wholeOrPage } from '../common/pages.ts'
import { usualPage } from '../common/search.ts'
import { requireVersion } from '../common/versions.ts'
import {
  countWebhooks,
  deleteWebhook,
  findEndpoint,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  lockWebhook,
  noteTest,
  updateWebhook,
} from './queries.ts'

/** Each has a line of its own that is worked on at the same time, so there are few. */
const mostWebhooks = 20

const requireAddress = (url: string | undefined, toLoopback: boolean): void => {
  const problem = url === undefined ? null : endpointProblem(url, toLoopback)
  if (problem !== null) throw badRequest('url', problem)
}

const notThere = (): never => {
  throw new ApiError('NOT_FOUND')
}

export const operatorWebhookHandlers: Handlers<typeof operatorWebhooks> = {
  listWebhooks: async ({ db, query }) => wholeOrPage(await listWebhooks(db), query),

  createWebhook: ({ body, vault, now, webhooksToLoopback }) => {
    requireAddress(body.url, webhooksToLoopback)
    return async (tx) => {
      if ((await countWebhooks(tx)) >= mostWebhooks) {
        throw conflict('', `there are ${mostWebhooks} webhooks already; delete one first`)
      }
      const secret = newSecret()
      const { url, events, is_active = true } = body
      const row = await insertWebhook(tx, {
        url,
        events,
        is_active,
        secret_sealed: sealSecret(vault, secret),
        created_at: now,
      })
      return audited({ ...row, secret }, { id: row.id, after: row })
    }
  },

  changeWebhook: ({ params, body: { version, ...change }, now, webhooksToLoopback }) => {
    requireAddress(change.url, webhooksToLoopback)
    return async (tx) => {
      const before = (await lockWebhook(tx, params.id)) ?? notThere()
      requireVersion(version, before)
      const after = await updateWebhook(tx, before, change, now)
      return audited(after, { before, after })
    }
  },

  deleteWebhook:
    ({ params }) =>
    async (tx) => {
      const before = (await lockWebhook(tx, params.id)) ?? notThere()
      await deleteWebhook(tx, params.id)
      return audited(true, { before, after: null })
    },

  // Outside is called before the transaction, never within it.
  testWebhook: async ({ db, vault, params, now, postWebhook, abortSignal }) => {
    const endpoint = (await findEndpoint(db, params.id)) ?? notThere()
    const event = {
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      type: 'webhook.test',
      subject: `webhook:${params.id}`,
      data: { webhook_id: params.id },
      createdAt: now,
    }
    const post = signedPost(openSecret(vault, endpoint.secret_sealed), event, now)
    const began = performance.now()
    const outcome = await postWebhook({ url: endpoint.url, ...post, signal: abortSignal() })
    const took = Math.round(performance.now() - began)
    return async (tx) => {
      if (!(await lockWebhook(tx, params.id))) notThere()
      await noteTest(tx, params.id, event, outcome)
      const { status, error } = outcome
      const data = { is_delivered: error === null, status, error, took_ms: took }
      return audited(data, { after: { status, error } })
    }
  },

  listWebhookDeliveries: async ({ db, params, query }) => {
    const { limit = usualPage, before } = query
    if (!(await findEndpoint(db, params.id))) notThere()
    return listDeliveries(db, params.id, { limit, before })
  },
}
