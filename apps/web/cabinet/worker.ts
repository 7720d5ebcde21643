/// <reference lib="webworker" />
export {}

/**
 * Keeps the shell: whoever has been here once still sees how to connect when the network is cut. What the account has is kept by
 * the page itself; nothing of anybody's is in here.
 */

declare const self: ServiceWorkerGlobalScope

const shellCache = 'shell'
const fileCache = 'files'
const shellKey = '/'
/** Screens of several builds; what is oldest goes first. */
const mostFiles = 150
/** A connection that has frozen says nothing more. Another one may. */
const patienceMs = 7000
const tries = 2

/** Addresses that are no pages of the cabinet. */
const elsewhere =
  /^\/(v1|operator|agent|sub|open|pay|docs|webhooks|install|console|brand|healthz|readyz|metrics|favicon\.ico|manifest\.webmanifest|sw\.js)(\/|$)/

const isPage = (request: Request, url: URL): boolean =>
  request.mode === 'navigate' && !elsewhere.test(url.pathname)

/** The whole answer or none: a connection may freeze in the middle of a body. What leads elsewhere is not looked into. */
const whole = async (request: Request): Promise<Response> => {
  const response = await fetch(request, { signal: AbortSignal.timeout(patienceMs) })
  if (response.type !== 'basic' || response.status === 204 || response.status === 304) return response
  return new Response(await response.blob(), response)
}

const patiently = async (request: Request): Promise<Response> => {
  for (let left = tries; left > 1; left--) {
    try {
      return await whole(request.clone())
    } catch {
      // The next try takes a connection of its own.
    }
  }
  return whole(request)
}

/** The service's clock in a page that is shown later would be wrong. */
const keepShell = async (response: Response): Promise<void> => {
  const text = (await response.text()).replace(/"now":[\d.]+/, '"now":0')
  const cache = await caches.open(shellCache)
  await cache.put(shellKey, new Response(text, { headers: response.headers }))
}

const page = async (request: Request): Promise<Response> => {
  try {
    const response = await patiently(request)
    if (response.status === 200 && response.headers.get('content-type')?.startsWith('text/html'))
      await keepShell(response.clone())
    if (response.status < 500) return response
    return (await caches.match(shellKey, { cacheName: shellCache })) ?? response
  } catch (error) {
    const kept = await caches.match(shellKey, { cacheName: shellCache })
    if (kept) return kept
    throw error
  }
}

const keepFile = async (request: Request, response: Response): Promise<void> => {
  const cache = await caches.open(fileCache)
  await cache.put(request, response)
  const names = await cache.keys()
  await Promise.all(names.slice(0, Math.max(0, names.length - mostFiles)).map((name) => cache.delete(name)))
}

/** Their names change with what is in them, so that one that is kept is right. */
const file = async (request: Request): Promise<Response> => {
  const kept = await caches.match(request, { cacheName: fileCache })
  if (kept) return kept
  const response = await patiently(request)
  if (response.ok) await keepFile(request, response.clone())
  return response
}

self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(file(request))
  else if (isPage(request, url)) event.respondWith(page(request))
})

/** What the first page loaded before anybody kept files: the browser still has it. */
self.addEventListener('message', (event) => {
  const { files, shell } = event.data as { files: readonly string[]; shell: string }
  const keepAll = async () => {
    await Promise.all(files.map((name) => file(new Request(name))))
    await page(new Request(shell))
  }
  event.waitUntil(keepAll())
})
