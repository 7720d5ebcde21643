import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'

/** Somebody who looks at pages with a real browser, and whatever goes wrong there. */

export const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
export const android =
  'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
export const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export interface Sight {
  readonly device: 'phone' | 'narrow' | 'desktop'
  readonly theme: 'light' | 'dark'
  readonly language: 'ru' | 'en'
}

const devices = {
  phone: { viewport: { width: 390, height: 844 }, userAgent: iphone, hasTouch: true, isMobile: true },
  narrow: { viewport: { width: 360, height: 740 }, userAgent: android, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 }, userAgent: windows },
} as const

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface ViewerOptions {
  /** What a browser says by itself of requests that the test lets fail. */
  readonly ignores?: RegExp
  readonly javaScriptEnabled?: boolean
}

export class Viewer {
  readonly page: Page
  /** What pages complained about, and whom they asked beside their own host. */
  readonly troubles: string[]
  readonly #context: BrowserContext

  constructor(page: Page, troubles: string[], context: BrowserContext) {
    this.page = page
    this.troubles = troubles
    this.#context = context
  }

  static async open(
    browser: Browser,
    { device, theme, language }: Sight,
    host: string,
    { ignores, ...options }: ViewerOptions = {},
  ): Promise<Viewer> {
    const context = await browser.newContext({
      ...devices[device],
      ...options,
      colorScheme: theme,
      locale: language,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    const troubles: string[] = []
    page.on('console', (message) => {
      const isOfStatus = /status of 404/.test(message.text()) || ignores?.test(message.text())
      if (['error', 'warning'].includes(message.type()) && !isOfStatus) troubles.push(message.text())
    })
    page.on('pageerror', (error) => troubles.push(String(error)))
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol !== 'data:' && url.host !== host) troubles.push(`asked ${url.host}`)
      if (request.headers().referer) troubles.push(`told ${url.href} where it came from`)
    })
    return new Viewer(page, troubles, context)
  }

  async look(url: string): Promise<void> {
    await this.page.goto('about:blank')
    await this.page.goto(url)
  }

  /** What the rules of accessibility have against the page, all of them or those named. */
  async axe(rules?: readonly string[]): Promise<string[]> {
    const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
    // Half a megabyte, which the page keeps until it is left.
    if (!(await this.page.evaluate("'axe' in window"))) await this.page.evaluate(axe)
    return this.page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`)
  }

  /** Names the elements of the page that can be pressed and are smaller than a finger. */
  smallTargets(least: number): Promise<string[]> {
    return this.page.evaluate(`[...document.querySelectorAll('a[href],button,summary,input,textarea')]
      .map((element) => [element, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => width > 1 && (width < ${least} || height < ${least}))
      .map(([element, { width, height }]) => element.outerHTML.slice(0, 80) + ' ' + width + 'x' + height)`)
  }

  /** What sticks out of the window at its sides. */
  overflow(): Promise<string[]> {
    return this.page.evaluate(`[...document.querySelectorAll('body *')]
      .filter((element) => { const { left, right, width } = element.getBoundingClientRect()
        return width > 0 && (left < 0 || right > document.documentElement.clientWidth + 0.5) })
      .map((element) => element.outerHTML.slice(0, 80))
      .concat(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [])`)
  }

  openEverything(): Promise<void> {
    return this.page.evaluate(`for (const fold of document.querySelectorAll('details')) {
      fold.removeAttribute('name'); fold.open = true }`)
  }

  /** As it stands on the screen: pixels, four bytes each. */
  async pixelsOf(selector: string): Promise<{ data: Uint8ClampedArray; width: number; height: number }> {
    const shown = this.page.locator(selector)
    await shown.scrollIntoViewIfNeeded()
    const png = (await shown.screenshot()).toString('base64')
    const other = await this.#context.newPage()
    const { data, ...size } = await other.evaluate<{ data: number[]; width: number; height: number }>(`
      (async () => {
        const image = new Image()
        image.src = 'data:image/png;base64,${png}'
        await image.decode()
        const { width, height } = image
        const canvas = new OffscreenCanvas(width, height).getContext('2d')
        canvas.drawImage(image, 0, 0)
        return { width, height, data: [...canvas.getImageData(0, 0, width, height).data] }
      })()`)
    await other.close()
    return { data: Uint8ClampedArray.from(data), ...size }
  }

  close(): Promise<void> {
    return this.#context.close()
  }
}
