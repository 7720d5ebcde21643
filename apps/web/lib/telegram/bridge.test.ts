import { expect, test, vi } from 'vitest'
import { bridgeIn, isAtLeast, launchIn, type TelegramWindow } from './bridge.ts'

/** A window that Telegram has opened: what is posted out of it, and how it is called. */
const windowOf = (more: object = {}) => {
  const heard: ((event: object) => void)[] = []
  const parent = { postMessage: vi.fn() }
  const window = {
    parent,
    addEventListener: (_: string, listener: (event: object) => void) => heard.push(listener),
    ...more,
  }
  const message = (event: object) => {
    for (const listener of heard) listener({ source: parent, origin: 'https://web.telegram.org', ...event })
  }
  return { window: window as unknown as TelegramWindow & Called, parent, message }
}

interface Called {
  Telegram: { WebView: { receiveEvent(type: string, data: unknown): void } }
  TelegramGameProxy: { receiveEvent(type: string, data: unknown): void }
  TelegramGameProxy_receiveEvent(type: string, data: unknown): void
}

const event = (eventType: string, eventData?: unknown) => ({ data: JSON.stringify({ eventType, eventData }) })

test('the fragment says what Telegram opened the page with', () => {
  const initData = 'user=%7B%22id%22%3A7%7D&start_param=OLGA2026&auth_date=1&hash=ab'
  const hash = `#tgWebAppData=${encodeURIComponent(initData)}&tgWebAppVersion=8.0&tgWebAppPlatform=ios&tgWebAppThemeParams=${encodeURIComponent('{"bg_color":"#ffffff"}')}`
  const launch = { initData, version: '8.0', theme: { bg_color: '#ffffff' }, startParam: 'OLGA2026' }
  expect(launchIn(hash)).toEqual(launch)
  expect(launchIn(hash.replace('#', '#/shop?'))).toEqual(launch)
})

test('a launch without data signs nobody in, and colours that are no JSON are none', () => {
  expect(launchIn('#tgWebAppVersion=7.0&tgWebAppThemeParams=%7B')).toEqual({
    initData: '',
    version: '7.0',
    theme: {},
    startParam: null,
  })
  expect(launchIn('#tgAuthResult=x')).toBe(undefined)
  expect(launchIn('')).toBe(undefined)
})

test('apps are told by their proxy, in text', () => {
  const postEvent = vi.fn()
  const { window, parent } = windowOf({ TelegramWebviewProxy: { postEvent } })
  const bridge = bridgeIn(window)
  bridge.post('web_app_setup_back_button', { is_visible: true })
  bridge.post('web_app_ready')
  expect(postEvent.mock.calls).toEqual([
    ['web_app_setup_back_button', '{"is_visible":true}'],
    ['web_app_ready', '{}'],
  ])
  expect(parent.postMessage).not.toHaveBeenCalled()
})

test('old desktops are told by a notice', () => {
  const notify = vi.fn()
  bridgeIn(windowOf({ external: { notify } }).window).post('web_app_expand')
  expect(notify).toHaveBeenCalledWith('{"eventType":"web_app_expand","eventData":{}}')
})

test('on the web only the site of Telegram is told', () => {
  const { window, parent } = windowOf()
  bridgeIn(window).post('web_app_open_link', { url: 'https://example.com/' })
  expect(parent.postMessage).toHaveBeenCalledWith(
    '{"eventType":"web_app_open_link","eventData":{"url":"https://example.com/"}}',
    'https://web.telegram.org',
  )
})

test('a page that stands alone tells nobody', () => {
  const { window } = windowOf()
  const postMessage = vi.fn()
  Object.assign(window, { parent: window, postMessage })
  bridgeIn(window).post('web_app_ready')
  expect(postMessage).not.toHaveBeenCalled()
})

test('apps are heard under each of the names they call', () => {
  const { window } = windowOf()
  const heard = vi.fn()
  bridgeIn(window).on('theme_changed', heard)
  const data = { theme_params: { bg_color: '#000000' } }
  window.Telegram.WebView.receiveEvent('theme_changed', data)
  window.TelegramGameProxy.receiveEvent('theme_changed', data)
  window.TelegramGameProxy_receiveEvent('theme_changed', data)
  window.Telegram.WebView.receiveEvent('theme_changed', null)
  window.Telegram.WebView.receiveEvent('viewport_changed', {})
  expect(heard.mock.calls).toEqual([[data], [data], [data], [{}]])
})

test('on the web the site of Telegram is heard, and nobody else', () => {
  const { window, message } = windowOf()
  const heard = vi.fn()
  bridgeIn(window).on('back_button_pressed', heard)
  message(event('back_button_pressed'))
  expect(heard).toHaveBeenCalledTimes(1)
  message({ ...event('back_button_pressed'), origin: 'https://web.telegram.org.example.com' })
  message({ ...event('back_button_pressed'), source: {} })
  message({ data: { eventType: 'back_button_pressed' } })
  message({ data: 'back_button_pressed' })
  message({ data: 'null' })
  expect(heard).toHaveBeenCalledTimes(1)
})

test.each([
  ['6.1', '6.1', true],
  ['6.10', '6.9', true],
  ['6.0', '6.1', false],
  ['10.0', '6.1', true],
])('version %s is at least %s: %s', (version, least, expected) =>
  expect(isAtLeast(version, least)).toBe(expected))
