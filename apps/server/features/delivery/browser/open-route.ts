import { canBeOpened, openPage } from '@sallyport/domain/delivery/page/open-page'
import { platformOf } from '@sallyport/domain/delivery/page/platform'
import type { FastifyInstance } from 'fastify'
import type { SettingsCache } from '../cache/settings.ts'
import { readLanguage } from '../fetch-request.ts'
import type { BrowserPages } from './pages.ts'

interface OpenParts {
  readonly pages: BrowserPages
  readonly settingsCache: SettingsCache
  readonly publicUrl: () => string
}

/** /open/<app>#<key>, for browsers that do nothing with the links of apps. */
export const openRoute = (app: FastifyInstance, { pages, settingsCache, publicUrl }: OpenParts): void => {
  app.get<{ Params: { app: string }; Querystring: { lang?: unknown } }>(
    '/open/:app',
    async (request, reply) => {
      const { language } = readLanguage(request)
      const settings = await settingsCache.latest()
      const found = settings.apps.find(({ id }) => id === request.params.app)
      if (!found || !canBeOpened(found)) return pages.sendNotFound(request, reply, settings, language)
      const platform = platformOf(request.headers['user-agent'])
      const addressBase = `${publicUrl()}/sub/`
      return pages.sendShared(request, reply, {
        name: `open ${found.id} ${platform} ${language}`,
        settings,
        status: 200,
        make: () => openPage(found, { language, platform, addressBase, title: settings.brand }),
      })
    },
  )
}
