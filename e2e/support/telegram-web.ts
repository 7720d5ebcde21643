import type { FrameLocator, Page } from 'playwright-core'

/**
 * Telegram on the web, as far as a Mini App notices: a page at Telegram's own address that frames the app, hears its events
 * and sends some. It answers by itself only what Telegram answers at once, the colours.
 */

/** Chromium asks a person before it lets a page of the internet frame one of this machine. */
export const telegramWebArgs = ['--disable-features=LocalNetworkAccessChecks']

const address = 'https://web.telegram.org/k/'

export interface TelegramEvent {
  readonly eventType: string
  readonly eventData: Readonly<Record<string, unknown>>
}

export interface MiniApp {
  /** The page of ours that the bot opens. */
  readonly url: string
  /** See `initDataOf` of test/support/people/telegram.ts. */
  readonly initData: string
  readonly theme?: Readonly<Record<string, string>>
  readonly version?: string
}

export const dayTheme = {
  bg_color: '#ffffff',
  secondary_bg_color: '#f4f4f5',
  text_color: '#000000',
  hint_color: '#707579',
  button_color: '#3390ec',
  button_text_color: '#ffffff',
}
export const nightTheme = { bg_color: '#212121', secondary_bg_color: '#181818', text_color: '#ffffff' }

const addressOf = ({ url, initData, theme = dayTheme, version = '8.0' }: MiniApp): string =>
  `${url}#${new URLSearchParams({
    tgWebAppData: initData,
    tgWebAppVersion: version,
    tgWebAppPlatform: 'weba',
    tgWebAppThemeParams: JSON.stringify(theme),
  })}`

/** What runs in the page: it keeps what it hears, and passes on what it is given. */
const script = (theme: string): string => `
const events = []
const frame = document.querySelector('iframe')
const send = (eventType, eventData) => frame.contentWindow.postMessage(JSON.stringify({ eventType, eventData }), '*')
addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow) return
  const event = JSON.parse(data)
  events.push(event)
  if (event.eventType === 'web_app_request_theme') send('theme_changed', { theme_params: ${theme} })
})`

export class TelegramWeb {
  readonly page: Page
  readonly app: FrameLocator

  private constructor(page: Page) {
    this.page = page
    this.app = page.frameLocator('iframe')
  }

  static async open(page: Page, app: MiniApp): Promise<TelegramWeb> {
    const theme = JSON.stringify(app.theme ?? dayTheme)
    const body = `<!doctype html><html lang="en"><title>Telegram</title><meta name="viewport" content="width=device-width">
<iframe title="app" src="${addressOf(app).replaceAll('&', '&amp;')}" style="border:0;position:fixed;inset:0;width:100%;height:100%"></iframe>
<script>${script(theme)}</script></html>`
    await page.route(`${address}**`, (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(address)
    return new TelegramWeb(page)
  }

  /** Everything that the app has told so far. */
  events(): Promise<readonly TelegramEvent[]> {
    return this.page.evaluate('events')
  }

  /** Waits for the next event of a kind, after those that were heard before. */
  async heard(eventType: string, after = 0): Promise<TelegramEvent['eventData']> {
    const found = `events.filter((event) => event.eventType === ${JSON.stringify(eventType)})[${after}]`
    await this.page.waitForFunction(found)
    return (await this.page.evaluate<TelegramEvent>(found)).eventData
  }

  /** What the app was last told to show of the back button. */
  async hasBackButton(): Promise<boolean> {
    const events = await this.events()
    return (
      events.filter(({ eventType }) => eventType === 'web_app_setup_back_button').at(-1)?.eventData
        .is_visible === true
    )
  }

  pressBack(): Promise<unknown> {
    return this.send('back_button_pressed')
  }

  send(eventType: string, eventData: object = {}): Promise<unknown> {
    return this.page.evaluate(`send(${JSON.stringify(eventType)}, ${JSON.stringify(eventData)})`)
  }
}
