import { signal } from '@preact/signals'

/** Where in the cabinet one is. Links to its own pages change the screen; the rest is left to the browser. */

const read = (): string => location.pathname + location.search
const current = signal(read())

addEventListener('popstate', () => {
  current.value = read()
})

export const route = (url: string, isReplacing = false): void => {
  history[isReplacing ? 'replaceState' : 'pushState'](null, '', url)
  current.value = read()
}

export const useLocation = () => {
  const url = current.value
  const [path = '/', search] = url.split('?')
  return { url, path, query: Object.fromEntries(new URLSearchParams(search)), route }
}

/** What stands in the places of `:names`; undefined where the path is another one. */
export const paramsOf = (pattern: string, path: string): Record<string, string> | undefined => {
  const names = pattern.split('/')
  const parts = path.split('/')
  if (names.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const part = parts[at] ?? ''
    if (!name.startsWith(':')) {
      if (name !== part) return undefined
      continue
    }
    try {
      params[name.slice(1)] = decodeURIComponent(part)
    } catch {
      return undefined
    }
  }
  return params
}

/** Pressed as one presses a link, and not to open it elsewhere. */
const isPlain = (event: MouseEvent, { target, origin }: HTMLAnchorElement): boolean =>
  !(
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  ) &&
  (!target || target === '_self') &&
  origin === location.origin

export const followLinks = (isPage: (path: string) => boolean): void =>
  addEventListener('click', (event: MouseEvent) => {
    const link = (event.target as Element).closest?.('a')
    if (!link?.href || !isPlain(event, link) || link.hasAttribute('download')) return
    const { pathname, search, hash, href } = link
    if (!isPage(pathname) || (hash && pathname + search === read())) return
    event.preventDefault()
    if (href !== location.href) route(pathname + search + hash)
  })
