import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { launchBrowser } from '../support/cabinet/person.ts'
import { settled, signInBrowser, speak, watchRequests } from '../support/cabinet/visit.ts'

/** Links that somebody sends: none of them signs in, or ties anything to an account, without a press. */
describeWith(chromium, 'a forged link', () => {
  let service: TestService
  let browser: Browser
  let victim: TestUser
  let attacker: TestUser

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    victim = await service.createUser({ email: 'victim@example.com' })
    attacker = await service.createUser({ email: 'attacker@example.com' })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (address: string, isSignedIn: boolean) => {
    const context = await browser.newContext({ locale: 'en' })
    await speak(context, service, 'en')
    if (isSignedIn) await signInBrowser(context, service, victim)
    const page = await context.newPage()
    // What a link sets off by itself it asks for at once: when nothing is on its way any more, it has not.
    watchRequests(page)
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'POST' && pathname.startsWith('/v1/auth/')) sent.push(pathname)
    })
    await page.goto(service.running.url + address)
    await settled(page)
    return { page, sent, close: () => context.close() }
  }

  const codeOf = async (user: TestUser): Promise<string> => {
    const made = await service.call('POST', '/v1/profile/signInCode', { token: user.session_token })
    return made.body.data.code
  }

  const widget = Buffer.from(
    JSON.stringify({ id: 7, first_name: 'Eve', auth_date: 1_767_225_600, hash: 'a'.repeat(64) }),
  ).toString('base64url')
  const initData = encodeURIComponent('user=%7B%22id%22%3A7%7D&auth_date=1767225600&hash=aa')

  test.each([
    ['ties nobody else’s Telegram to the account', `/settings#tgAuthResult=${widget}`],
    ['ties none with a mark that this tab has not made', `/settings?link=1#tgAuthResult=${widget}`],
    ['is no Mini App in an ordinary browser', `/#tgWebAppVersion=7.0&tgWebAppData=${initData}`],
  ])('%s', async (_, address) => {
    const { sent, close } = await open(address, true)
    expect(sent.filter((path) => /telegram|refresh/.test(path))).toEqual([])
    await close()
  })

  test.each([true, false])('with a code asks first, signed in: %s', async (isSignedIn) => {
    const { page, sent, close } = await open(`/sign-in#sign_in_code=${await codeOf(attacker)}`, isSignedIn)
    expect(sent.filter((path) => path.endsWith('/signInCode'))).toEqual([])
    await page.getByRole('heading', { name: 'Sign in with this link?' }).waitFor()
    await page.getByRole('button', { name: 'Yes, sign in' }).click()
    await expect.poll(() => sent).toContain('/v1/auth/signInCode')
    await close()
  })
})
