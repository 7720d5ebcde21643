import { type CDPSession, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../test/support/pieces.ts'

/** Nothing of it leaves the machine, and it begins with an empty profile. */
export const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A fingerprint reader that is part of the machine, whose owner touches it whenever it asks. */
const authenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

const ceremonies = {
  create: 'parseCreationOptionsFromJSON',
  get: 'parseRequestOptionsFromJSON',
} as const

/** Gives the page such a reader. */
export const addAuthenticator = async (
  page: Page,
): Promise<{ readonly devtools: CDPSession; readonly authenticatorId: string }> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: authenticator,
  })
  return { devtools, authenticatorId }
}

/** A real browser with a virtual authenticator. */
export class PasskeyBrowser {
  readonly #page: Page
  readonly #devtools: CDPSession
  readonly #authenticatorId: string

  constructor(at: { page: Page; devtools: CDPSession; authenticatorId: string }) {
    this.#page = at.page
    this.#devtools = at.devtools
    this.#authenticatorId = at.authenticatorId
  }

  /** `onEnd` is told how to clean up. */
  static async open(onEnd: (cleanUp: () => Promise<void>) => void): Promise<PasskeyBrowser> {
    const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    onEnd(() => browser.close())
    const page = await browser.newPage()
    return new PasskeyBrowser({ page, ...(await addAuthenticator(page)) })
  }

  async goto(url: string): Promise<void> {
    await this.#page.goto(url)
  }

  /** What the page's own script would send to the service. */
  async answer(
    kind: keyof typeof ceremonies,
    options: object,
  ): Promise<{ response: Record<string, string> }> {
    const publicKey = `PublicKeyCredential.${ceremonies[kind]}(${JSON.stringify(options)})`
    return this.#page.evaluate(`navigator.credentials.${kind}({ publicKey: ${publicKey} })
      .then((credential) => credential.toJSON())`)
  }

  async verifyUser(isUserVerified: boolean): Promise<void> {
    const authenticatorId = this.#authenticatorId
    await this.#devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  }

  /** The authenticator is as new. */
  async forgetPasskeys(): Promise<void> {
    await this.#devtools.send('WebAuthn.clearCredentials', { authenticatorId: this.#authenticatorId })
  }
}
