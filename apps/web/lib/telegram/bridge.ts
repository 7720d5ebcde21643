/**
 * The few events of Telegram's Mini Apps that the cabinet needs, as https://core.telegram.org/api/web-events and
 * https://core.telegram.org/api/bots/webapps describe them. Loaded only inside Telegram, instead of a script from its site.
 */

type Data = Readonly<Record<string, unknown>>
type Heard = (data: Data) => void

/** What Telegram opened the page with. */
export interface Launch {
  /** Untouched: the service checks its signature. Empty where the page was opened by a button of a keyboard. */
  readonly initData: string
  readonly version: string
  readonly theme: Readonly<Record<string, string>>
  readonly startParam: string | null
}

const jsonOf = (text: string | null): Record<string, string> => {
  try {
    return Object(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

export const launchIn = (hash: string): Launch | undefined => {
  const at = hash.indexOf('tgWebApp')
  if (at < 0) return undefined
  const values = new URLSearchParams(hash.slice(at))
  const initData = values.get('tgWebAppData') ?? ''
  return {
    initData,
    version: values.get('tgWebAppVersion') ?? '6.0',
    theme: jsonOf(values.get('tgWebAppThemeParams')),
    startParam: new URLSearchParams(initData).get('start_param'),
  }
}

const webOrigin = 'https://web.telegram.org'

interface Proxy {
  postEvent(type: string, data: string): void
}

/** What apps of Telegram put into the window, and what they call there. */
export type TelegramWindow = Pick<Window, 'addEventListener' | 'parent'> & {
  readonly TelegramWebviewProxy?: Proxy
  readonly external?: { notify?: (text: string) => void }
}

export interface Bridge {
  post(type: string, data?: Data): void
  on(type: string, heard: Heard): void
}

export const bridgeIn = (window: TelegramWindow): Bridge => {
  const heardBy = new Map<string, Heard>()
  const receive = (type: string, data: unknown): void => heardBy.get(type)?.(Object(data ?? {}))

  const receiver = { receiveEvent: receive }
  Object.assign(window, {
    Telegram: { WebView: receiver },
    TelegramGameProxy: receiver,
    TelegramGameProxy_receiveEvent: receive,
  })
  window.addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    if (source !== window.parent || origin !== webOrigin || typeof data !== 'string') return
    const { eventType, eventData } = jsonOf(data)
    if (typeof eventType === 'string') receive(eventType, eventData)
  })

  return {
    on: (type, heard) => {
      heardBy.set(type, heard)
    },
    post: (eventType, eventData = {}) => {
      const message = JSON.stringify({ eventType, eventData })
      if (window.TelegramWebviewProxy)
        window.TelegramWebviewProxy.postEvent(eventType, JSON.stringify(eventData))
      else if (window.external?.notify) window.external.notify(message)
      else if (window.parent !== (window as unknown)) window.parent.postMessage(message, webOrigin)
    },
  }
}

/** Versions are numbers with dots: 6.10 is newer than 6.9. */
export const isAtLeast = (version: string, least: string): boolean =>
  version.localeCompare(least, 'en', { numeric: true }) >= 0
