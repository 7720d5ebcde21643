import { etagOf, namesEtag } from '@sallyport/domain/delivery/etag'
import { plainLine } from '@sallyport/domain/delivery/page/words/plain-line'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CabinetSettings, logoPolicy } from '../../core/cabinet/cabinet-settings.ts'
import { send, type Written, written } from '../../core/web/answers.ts'
import { pngIcon, svgIcon } from './icon.ts'
import { logoAddress } from './page.ts'
import type { SettingsSource } from './settings-source.ts'

/** What shows whose service it is: its name for home screens, its icons, its logo, its rules. */

/** Of home screens and of Apple's. */
const iconSides = [180, 192, 512] as const

const yearSeconds = 31_536_000

const headers = {
  'content-security-policy': logoPolicy,
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
}

const icons = (settings: CabinetSettings) => {
  const drawn = [
    { src: '/brand/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ...[192, 512].map((side) => ({
      src: `/brand/icon-${side}.png`,
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose: 'maskable any',
    })),
  ]
  const { logo } = settings
  return logo ? [{ src: logoAddress(settings), sizes: 'any', type: logo.type }, ...drawn.slice(1)] : drawn
}

const webManifest = (settings: CabinetSettings): string => {
  const name = plainLine(settings.name)
  return JSON.stringify({
    id: '/',
    name,
    short_name: name,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: settings.accent,
    background_color: '#ffffff',
    icons: icons(settings),
  })
}

const sendNothing = (reply: FastifyReply): FastifyReply =>
  reply.code(404).headers(headers).type('text/plain; charset=utf-8').send('Not found\n')

/** Made once for what it is made of. */
class Kept<T> {
  #of: string | undefined
  #made: T | undefined

  get(of: string, make: () => T): T {
    if (this.#made === undefined || this.#of !== of) this.#made = make()
    this.#of = of
    return this.#made
  }
}

const picture = (type: string, bytes: Buffer): Written => ({
  type,
  etag: etagOf(bytes),
  bodies: { identity: bytes },
})

const iconRoutes = (app: FastifyInstance, settings: SettingsSource): void => {
  const drawing = new Kept<Written>()
  app.get('/brand/icon.svg', async (request, reply) => {
    const { accent } = await settings.lastSeen()
    const icon = drawing.get(accent, () => written('image/svg+xml', svgIcon(accent)))
    return send(request, reply.headers(headers), icon)
  })
  for (const side of iconSides) {
    const kept = new Kept<Written>()
    app.get(`/brand/icon-${side}.png`, async (request, reply) => {
      const { accent } = await settings.lastSeen()
      const icon = kept.get(accent, () => picture('image/png', pngIcon(accent, side)))
      return send(request, reply.headers(headers), icon)
    })
  }
}

/** Shown as it was while a browser looks whether it has changed. */
const usualAge = 'public, max-age=300, stale-while-revalidate=604800'

/** Kept for good where the address names what it is now. */
const sendLogo = (
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag }: NonNullable<CabinetSettings['logo']>,
): FastifyReply => {
  const { v } = request.query as { v?: unknown }
  const isNamed = `"${v}"` === etag
  const age = isNamed ? `public, max-age=${yearSeconds}, immutable` : usualAge
  reply.headers({ ...headers, etag, 'cache-control': age })
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(type).send(Buffer.from(bytes))
}

export const brandRoutes = (app: FastifyInstance, settings: SettingsSource): void => {
  const manifest = new Kept<Written>()
  app.get('/manifest.webmanifest', async (request, reply) => {
    const now = await settings.lastSeen()
    const make = () => written('application/manifest+json; charset=utf-8', webManifest(now))
    return send(request, reply.headers(headers), manifest.get(String(now.version), make))
  })
  iconRoutes(app, settings)
  app.get('/brand/logo', async (request, reply) => {
    const { logo } = await settings.latest()
    return logo ? sendLogo(request, reply, logo) : sendNothing(reply)
  })
  for (const language of ['ru', 'en'] as const) {
    const kept = new Kept<Written>()
    app.get(`/brand/rules/${language}`, async (request, reply) => {
      const { rules, version } = await settings.latest()
      const text = rules[language]
      if (text === null) return sendNothing(reply)
      const make = () => written('text/plain; charset=utf-8', text)
      return send(request, reply.headers(headers), kept.get(String(version), make))
    })
  }
}
