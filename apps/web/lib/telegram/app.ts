import { operations } from 'virtual:operations/first'
import { type Client, clientOf } from '@sallyport/contract/client/core'
import { keepInTab, keptInTab } from '../kept.ts'
import { language } from '../language.ts'
import { enterTelegram } from '../outside.ts'
import { now } from '../page.ts'
import { forgetRead } from '../resource.ts'
import { route } from '../router.ts'
import { send } from '../send.ts'
import { entryProblem, isEntering, isSignedIn, memoryToken, signedIn } from '../session.ts'
import { type Bridge, bridgeIn, isAtLeast, type Launch, launchIn, type TelegramWindow } from './bridge.ts'
import { openThrough, payThrough } from './links.ts'
import { applyTheme } from './theme.ts'
import { heldTokens } from './tokens.ts'

/** The cabinet as a Mini App: signed in by Telegram, back by its button, out by its links, in its colours. */

/** What renews a token is asked without one. */
const bare: Pick<Client, 'signInWithTelegram' | 'refreshSession'> = clientOf(operations, {
  baseUrl: '/v1',
  language,
  fetch: send,
})

const holdTokens = (initData: string): void => {
  const byTelegram = () => bare.signInWithTelegram({ body: { init_data: initData } })
  const tokens = heldTokens({
    refresh: (refresh_token) => bare.refreshSession({ body: { refresh_token } }),
    signIn: byTelegram,
    now,
    slot: memoryToken,
  })
  memoryToken.holder = {
    ...tokens,
    enter: async () => {
      isEntering.value = true
      entryProblem.value = undefined
      try {
        const answer = await byTelegram()
        forgetRead()
        signedIn(answer)
      } catch (error) {
        entryProblem.value = error
      }
      isEntering.value = false
    },
  }
}

/** The depth is kept with each entry of the history, so that it is right after a reload too. */
const bindBackButton = (bridge: Bridge): void => {
  const depth = (): number => history.state?.depth ?? 0
  const show = (): void => bridge.post('web_app_setup_back_button', { is_visible: depth() > 0 })
  const push = history.pushState.bind(history)
  const replace = history.replaceState.bind(history)
  history.pushState = (state, unused, url) => {
    push({ ...state, depth: depth() + 1 }, unused, url)
    show()
  }
  history.replaceState = (state, unused, url) => replace({ ...state, depth: depth() }, unused, url)
  addEventListener('popstate', show)
  bridge.on('back_button_pressed', () => history.back())
  show()
}

/** Links that leave the cabinet are opened by Telegram, wherever they stand. */
const takeLinks = (bridge: Bridge): void =>
  addEventListener(
    'click',
    (event) => {
      const link = (event.target as Element | null)?.closest?.('a')
      if (!link?.href || !/^https?:$/.test(link.protocol)) return
      const isOurs = link.origin === location.origin && !link.pathname.startsWith('/open/')
      if (isOurs && link.target !== '_blank') return
      event.preventDefault()
      openThrough(bridge, link.href)
    },
    { capture: true },
  )

/** A reload, as at a change of the language, comes without what Telegram wrote into the address. */
const launch = (): Launch | undefined => {
  const given = launchIn(location.hash)
  if (!given) return keptInTab<Launch>('telegram')
  keepInTab('telegram', given)
  const isGift = given.startParam?.startsWith('g_')
  route(isGift ? `/gift#${given.startParam?.slice(2)}` : location.pathname + location.search, true)
  return given
}

/** To be called before anything is drawn. */
export const startInTelegram = (): void => {
  const given = launch()
  if (!given) return
  const bridge = bridgeIn(window as unknown as TelegramWindow)
  enterTelegram({ open: (url) => openThrough(bridge, url), pay: (url) => payThrough(bridge, url) })
  takeLinks(bridge)
  applyTheme(given.theme)
  bridge.on('theme_changed', ({ theme_params }) => applyTheme(Object(theme_params)))
  bridge.on('reload_iframe', () => {
    bridge.post('iframe_will_reload')
    location.reload()
  })
  bridge.post('iframe_ready', { reload_supported: true })
  bridge.post('web_app_ready')
  bridge.post('web_app_expand')
  bridge.post('web_app_request_theme')
  if (isAtLeast(given.version, '6.1')) {
    bridge.post('web_app_set_header_color', { color_key: 'secondary_bg_color' })
    bindBackButton(bridge)
  }
  holdTokens(given.initData)
  // A cookie of an earlier opening may be another person's of the same phone.
  isSignedIn.value = false
  if (given.initData) void memoryToken.holder?.enter()
}
