import { freePort } from '../ports.ts'
import { VkIdStandIn } from '../providers/vk-id.ts'
import { type Answer, startTestService, type TestService } from '../service.ts'
import { CookieBrowser } from './cookie-browser.ts'
import { oidcClient, type Person, TestOidcProvider } from './oidc-provider.ts'

/** The service with three names for one real provider, trusted differently, and VK ID. */

const oidcNames = ['google', 'office', 'home']

const oidcEnv = (name: string, issuer: string, trust: 'on' | 'off'): Record<string, string> => ({
  [`OIDC_${name}_ISSUER`]: issuer,
  [`OIDC_${name}_CLIENT_ID`]: oidcClient.clientId,
  [`OIDC_${name}_CLIENT_SECRET`]: oidcClient.clientSecret,
  [`OIDC_${name}_TRUST_EMAIL`]: trust,
})

interface Start {
  readonly provider?: string
  readonly body?: Record<string, unknown>
  readonly token?: string
  readonly headers?: Record<string, string>
  readonly browser?: CookieBrowser
}

export class OauthWorld {
  readonly service: TestService
  readonly provider: TestOidcProvider
  readonly vk: VkIdStandIn
  #people = 0

  constructor(service: TestService, provider: TestOidcProvider, vk: VkIdStandIn) {
    this.service = service
    this.provider = provider
    this.vk = vk
  }

  /** Somebody new to the provider. */
  person(claims: Person = {}): string {
    const name = `person-${++this.#people}`
    this.provider.people.set(name, claims)
    return name
  }

  /** The address of the provider to open, with the browser's cookie kept. */
  async start({ provider = 'google', body = {}, token, headers, browser = new CookieBrowser() }: Start = {}) {
    const response = await browser.open(`${this.service.running.url}/v1/auth/oauth/${provider}/start`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Answer['body']
    return { browser, answer, url: answer.data?.url as string }
  }

  /** The person agrees, unless the provider remembers it; returns where the browser is sent. */
  async agree(browser: CookieBrowser, url: string, person: string): Promise<string> {
    const isBack = (at: string) => at.startsWith(this.service.running.url)
    const page = await browser.travel(url, (at) => isBack(at) || at.includes('/interaction/'))
    return isBack(page) ? page : browser.travel(`${page}?as=${person}`, isBack)
  }

  /** The person refuses. */
  deny(browser: CookieBrowser, url: string): Promise<string> {
    return browser.travel(url, (at) => at.startsWith(this.service.running.url))
  }

  async open(browser: CookieBrowser, url: string): Promise<Answer> {
    const response = await browser.open(url)
    const body = (await response.json()) as Answer['body']
    return { status: response.status, headers: response.headers, body }
  }

  /** From the start to the answer of the callback. */
  async signIn(person: string, start: Start = {}): Promise<Answer> {
    const { browser, url } = await this.start(start)
    return this.open(browser, await this.agree(browser, url, person))
  }

  async stop(): Promise<void> {
    await this.service.stop()
    await this.provider.stop()
    await this.vk.stop()
  }
}

export const startOauthWorld = async (more: Record<string, string> = {}): Promise<OauthWorld> => {
  const port = await freePort()
  const callback = (name: string) => `http://127.0.0.1:${port}/v1/auth/oauth/${name}/callback`
  const redirectUris = oidcNames.map(callback)
  const provider = await new TestOidcProvider({ redirectUris, tellsEmailInToken: true }).start()
  const vk = await new VkIdStandIn().start()
  const env = {
    PORT: String(port),
    GOOGLE_CLIENT_ID: oidcClient.clientId,
    GOOGLE_CLIENT_SECRET: oidcClient.clientSecret,
    GOOGLE_ISSUER: provider.issuer,
    OIDC_PROVIDERS: 'office,home',
    ...oidcEnv('OFFICE', provider.issuer, 'on'),
    ...oidcEnv('HOME', provider.issuer, 'off'),
    ...vk.env,
    ...more,
  }
  return new OauthWorld(await startTestService({ env, withoutLimits: true }), provider, vk)
}

/** What a page finds in its fragment. */
export const fragmentOf = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(new URL(headers.get('location') ?? '').hash.slice(1)))
