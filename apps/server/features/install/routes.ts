import { per } from '@sallyport/contract/operation'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Limiter } from '../../ports/limiter.ts'
import type { Log } from '../../ports/log.ts'
import { type DownloadLimits, Downloads, usualLimits } from './downloads.ts'
import { type KeptKit, type KitFile, NoKit } from './kit.ts'
import { installScript, refusalScript } from './script.ts'

/** What a machine needs to become a node, handed out to anybody: no secret is in it. */

const scriptLimit = per(30, 60)
/** An installation takes five; they are large. */
const fileLimit = per(60, 600)
const patienceMs = 45_000
const retrySeconds = '10'
const yearSeconds = 365 * 86_400
const shell = 'text/x-shellscript; charset=utf-8'

export interface InstallRoutesParts {
  readonly kit: KeptKit
  readonly limiter: Limiter
  readonly publicUrl: () => string
  readonly log: Log
  readonly downloadLimits?: DownloadLimits
}

type FileRequest = FastifyRequest<{ Params: { sha256: string; name: string } }>

const nameOf = ({ place }: KitFile): string => `${place.slice(place.lastIndexOf('/') + 1)}.gz`

const later = (reply: FastifyReply, reason: string): FastifyReply =>
  reply.code(503).header('retry-after', retrySeconds).send(refusalScript(reason))

const inTime = <T>(work: Promise<T>): Promise<T | null> => {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, patienceMs, null)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const sendScript = async (reply: FastifyReply, parts: InstallRoutesParts): Promise<FastifyReply> => {
  reply.type(shell).header('cache-control', 'no-store')
  try {
    const kit = await inTime(parts.kit.current())
    if (!kit) return later(reply, 'the service is still preparing what it hands out; try again in a moment')
    return reply.send(await installScript(kit, parts.publicUrl()))
  } catch (error) {
    if (error instanceof NoKit) return reply.send(refusalScript(error.message))
    parts.log.error({ err: error }, 'the installer could not be prepared')
    return later(reply, 'the service could not prepare what it hands out; its log says why')
  }
}

const tooMany = (reply: FastifyReply, status: 429 | 503): FastifyReply =>
  reply.code(status).header('retry-after', retrySeconds).type('text/plain').send('Too many downloads\n')

export const installRoutes = (app: FastifyInstance, parts: InstallRoutesParts): void => {
  const { kit, limiter, downloadLimits = usualLimits } = parts
  const downloads = new Downloads(downloadLimits)

  const isTooOften = async (request: FastifyRequest, reply: FastifyReply, what: 'script' | 'file') => {
    const limit = what === 'script' ? scriptLimit : fileLimit
    const taken = await limiter.take(`install-${what}:ip:${ipKey(request.ip)}`, limit)
    if (!taken.isAllowed) reply.code(429).header('retry-after', taken.retryAfterSeconds).type(shell)
    return !taken.isAllowed
  }

  app.get('/install/agent', async (request, reply) => {
    if (await isTooOften(request, reply, 'script')) return reply.send(refusalScript('too many requests'))
    return sendScript(reply, parts)
  })

  const answerFile = async (request: FileRequest, reply: FastifyReply) => {
    if (await isTooOften(request, reply, 'file')) return reply.send('Too Many Requests\n')
    const { sha256, name } = request.params
    const file = /^[0-9a-f]{64}$/.test(sha256) ? await kit.file(sha256) : undefined
    if (!file || name !== nameOf(file)) return reply.code(404).type('text/plain').send('Not found\n')
    const isHead = request.method === 'HEAD'
    const address = ipKey(request.ip)
    if (!isHead && downloads.isCrowd(address)) return tooMany(reply, 429)
    if (!isHead && !downloads.hasRoom()) return tooMany(reply, 503)
    const headers = {
      'content-type': 'application/gzip',
      'content-length': file.compressedBytes,
      'cache-control': `public, max-age=${yearSeconds}, immutable`,
    }
    if (isHead) return reply.headers(headers).send()
    // Past the framework, whose answer counts as work for as long as somebody reads it.
    reply.headers(headers).hijack()
    for (const [header, value] of Object.entries(reply.getHeaders()))
      reply.raw.setHeader(header, value as string | number)
    void downloads.send(address, file.path, reply.raw)
    return undefined
  }
  app.route({ method: ['GET', 'HEAD'], url: '/install/files/:sha256/:name', handler: answerFile })
}
