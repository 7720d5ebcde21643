/** As much of a browser as signing in needs: cookies by host and path, and one step after another. */

interface Jar {
  readonly [name: string]: { readonly value: string; readonly path: string }
}

export class CookieBrowser {
  readonly #jars = new Map<string, Jar>()

  /** One request; redirects are answers, not followed. */
  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const { host, pathname } = new URL(url)
    const jar = Object.entries(this.#jars.get(host) ?? {})
    const cookie = jar.filter(([, { path }]) => pathname.startsWith(path))
    const headers = new Headers(init.headers)
    if (cookie.length > 0)
      headers.set('cookie', cookie.map(([name, { value }]) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#keep(host, line)
    return response
  }

  /** Follows redirects until `isThere`, and returns that address without opening it. */
  async travel(url: string, isThere: (url: string) => boolean): Promise<string> {
    let at = url
    for (let steps = 0; steps < 20; steps++) {
      if (isThere(at)) return at
      const response = await this.open(at)
      const location = response.headers.get('location')
      if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`)
      at = new URL(location, at).href
    }
    throw new Error(`Sent in circles, last to ${at}`)
  }

  #keep(host: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? '/'
    const isGone = attributes.some((part) => /^max-age=0$|^expires=.*1970/i.test(part))
    const { [pair.slice(0, at)]: _old, ...others } = this.#jars.get(host) ?? {}
    const fresh = isGone ? {} : { [pair.slice(0, at)]: { value: pair.slice(at + 1), path } }
    this.#jars.set(host, { ...others, ...fresh })
  }
}
