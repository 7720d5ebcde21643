import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Role } from '@sallyport/contract/operation'
import { type Browser, chromium as chromiumBrowser, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { ConsolePerson } from '../../test/support/people/console.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { WebhookReceiver } from '../../test/support/providers/webhook-receiver.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type AtConsole, signInToConsole } from '../support/console/signed-in.ts'
import type { Sight } from '../support/viewer.ts'

/** A folder for pictures of the screens, for those who change how they look. */
const pictures = process.env.SALLYPORT_PICTURES

const desk: Sight = { device: 'desktop', theme: 'light', language: 'en' }

/** Operators, what their programs come with, who is told of events, and settings. */
describeWith(chromium, 'operators, webhooks and settings in the console', () => {
  let service: TestService
  let browser: Browser
  let receiver: WebhookReceiver

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true, env: { WEBHOOKS_TO_LOOPBACK: 'on' } })
    receiver = await new WebhookReceiver().start()
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await receiver?.stop()
    await service?.stop()
  })

  const read = async (path: string) => (await service.operator('GET', path)).body.data
  const write = async (method: string, path: string, body?: unknown) =>
    (await service.operator(method, path, body)).body.data

  /** Somebody at the console, and their number. */
  const enter = async (
    role: Role = 'owner',
    sight = desk,
  ): Promise<AtConsole & { page: Page; id: number }> => {
    const at = await signInToConsole(browser, service, sight, role)
    at.viewer.page.setDefaultTimeout(20_000)
    onTestFinished(() => at.viewer.close())
    const [{ id }] = await read('/operators?limit=1')
    return { ...at, page: at.viewer.page, id }
  }
  const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name })
  const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

  /** What a page complained of; a browser also says of every refusal that there was one. */
  const troublesOf = ({ viewer }: AtConsole, ...refusals: number[]): string[] =>
    viewer.troubles.filter((said) => !refusals.some((status) => said.includes(`status of ${status}`)))

  /** What is told once, as somebody copies it. */
  const takeSecret = async (page: Page, title: string): Promise<string> => {
    const dialog = dialogOf(page, title)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    const text = await copied(page)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'hidden' })
    return text
  }

  test('an operator is added, comes in by the link, and is changed', async () => {
    const at = await enter()
    const { page, open } = at
    await open('/console/operators')
    await page.getByRole('button', { name: 'Add an operator' }).click()
    const adding = dialogOf(page, 'Add an operator')
    await adding.getByLabel('Name').fill('Olga')
    await adding.getByLabel('Mail', { exact: true }).fill('olga@example.com')
    await adding.getByLabel('Role').selectOption('technician')
    await adding.getByRole('button', { name: 'Add, and make a sign-in link' }).click()
    const first = await takeSecret(page, 'The sign-in link')
    await page.getByRole('link', { name: 'Olga' }).click()
    await page.getByRole('heading', { level: 1, name: 'Olga' }).waitFor()
    const [olga] = await read('/operators?limit=1')
    expect(olga).toMatchObject({ name: 'Olga', email: 'olga@example.com', role: 'technician', version: 1 })
    expect(new URL(page.url()).search).toBe(`?id=${olga.id}`)

    await page.getByRole('button', { name: 'New sign-in link…' }).click()
    await dialogOf(page, 'A new sign-in link for Olga?')
      .getByRole('button', { name: 'Make the link' })
      .click()
    const second = await takeSecret(page, 'The sign-in link')
    expect((await new ConsolePerson(service).openLink({ sign_in_link: first })).status).toBe(401)
    expect((await new ConsolePerson(service).openLink({ sign_in_link: second })).status).toBe(200)

    // Somebody else is quicker: nothing is lost, and one chooses.
    await write('PATCH', `/operators/${olga.id}`, { name: 'Olga T.' })
    await page.getByLabel('Name').fill('Olga P.')
    await page.getByLabel('Role').selectOption('support')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody has changed this meanwhile').waitFor()
    await page.getByRole('row', { name: 'Name' }).getByLabel('Olga T.').check()
    await page.getByRole('button', { name: 'Save with what I chose' }).click()
    await page.getByRole('heading', { level: 1, name: 'Olga T.' }).waitFor()
    const [changed] = await read('/operators?limit=1')
    expect(changed).toMatchObject({ name: 'Olga T.', role: 'support', email: 'olga@example.com' })
    expect(troublesOf(at, 409)).toEqual([])
  })

  test('an operator is switched off after a word about what ends, and on again', async () => {
    const { viewer, page, open } = await enter()
    const { id, sign_in_link } = await write('POST', '/operators', { name: 'Boris', role: 'support' })
    const person = new ConsolePerson(service)
    await person.openLink({ sign_in_link })
    await open(`/console/operators?id=${id}`)
    await page.getByRole('button', { name: 'Switch off…' }).click()
    const asked = dialogOf(page, 'Switch Boris off?')
    await asked.getByText('end for good').waitFor()
    await asked.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    expect((await person.me()).status).toBe(401)
    expect(await page.getByRole('button', { name: 'New sign-in link…' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('button', { name: 'New sign-in link…' }).waitFor()
    expect((await read('/operators?limit=1'))[0]).toMatchObject({ id, is_active: true })
    expect(viewer.troubles).toEqual([])
  })

  test('a token is made for some operations, shown once, and revoked', async () => {
    const { viewer, page, open } = await enter()
    const { id } = await write('POST', '/operators', { name: 'Vera', role: 'finance' })
    await open(`/console/operators?id=${id}`)
    await page.getByText('There is none.').waitFor()
    await page.getByRole('button', { name: 'New token…' }).click()
    const making = dialogOf(page, 'New token')
    await making.getByLabel('What it is for').fill('bookkeeping')
    await making.getByLabel('For how many days').fill('30')
    await making.getByRole('button', { name: 'Make the token' }).click()
    await making.getByText('Choose at least one operation.').waitFor()
    await making.locator('summary', { hasText: /^Money/ }).click()
    await making.getByRole('checkbox', { name: /searchPayments/ }).check()
    await making.getByRole('button', { name: 'Choose all: Money, Only reads' }).click()
    await making.getByRole('checkbox', { name: /revealWithdrawalAccount/ }).uncheck()
    // What only owners may is not offered for finance.
    expect(await making.getByText('blockUser', { exact: true }).count()).toBe(1)
    expect(await making.getByText('createBroadcast', { exact: true }).count()).toBe(0)
    await making.getByRole('button', { name: 'Make the token' }).click()
    const token = await takeSecret(page, 'The new token')
    expect(token).toMatch(/^slo_/)
    const come = (path: string) => service.call('GET', `/operator/v1${path}`, { token })
    expect((await come('/payments')).status).toBe(200)
    expect((await come('/users')).status).toBe(403)
    const [made] = await read(`/operators/${id}/tokens`)
    expect(made).toMatchObject({ title: 'bookkeeping', expires_at: service.clock.now() + 30 * 86_400 })
    expect(made.operations).toContain('listWithdrawals')
    expect(made.operations).not.toContain('revealWithdrawalAccount')

    await page.getByText(/may call \d+\soperations/).waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await dialogOf(page, 'Revoke “bookkeeping”?').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('There is none.').waitFor()
    expect((await come('/payments')).status).toBe(401)
    expect(viewer.troubles).toEqual([])
  })

  test('what gives power away asks for a passkey, and then goes on', async () => {
    const at = await enter()
    const { page, open } = at
    await open('/console/me')
    service.clock.advance(360)
    await page.getByRole('button', { name: 'New token…' }).click()
    const making = dialogOf(page, 'New token')
    await making.getByLabel('What it is for').fill('my own')
    await making.getByLabel('For how many days').fill('')
    await making.getByRole('radio', { name: /Everything that the role may/ }).check()
    await making.getByRole('button', { name: 'Make the token' }).click()
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
    const token = await takeSecret(page, 'The new token')
    const me = await service.call('GET', '/operator/v1/me', { token })
    expect(me.body.data.name).toBe('The owner')
    await page.getByText('may everything that the role may').waitFor()
    expect(troublesOf(at, 403)).toEqual([])
  })

  test('one sees where one is signed in, and ends it', async () => {
    const { viewer, page, open, id } = await enter('support')
    const elsewhere = async () => {
      const person = new ConsolePerson(service)
      await person.openLink(await write('POST', `/operators/${id}/sign-in-link`))
      return person
    }
    const first = await elsewhere()
    await open('/console/me')
    const card = page.locator('section.card', { hasText: 'Where you are signed in' })
    await card.getByText('this browser').waitFor()
    await card.getByText(/^Chrome/).waitFor()
    await card.getByText('An unknown browser').waitFor()
    expect(await card.getByRole('listitem').count()).toBe(2)
    await card.getByRole('button', { name: /^End the session/ }).click()
    await page.getByText('1 session has ended.').waitFor()
    expect((await first.me()).status).toBe(401)

    const others = [await elsewhere(), await elsewhere()]
    await page.reload()
    await card.getByRole('button', { name: 'End all others' }).click()
    const asked = dialogOf(page, 'End all other sessions?')
    await asked.getByText('2 browsers have to sign in anew').waitFor()
    await asked.getByRole('button', { name: 'End all others' }).click()
    await page.getByText('2 sessions have ended.').waitFor()
    await card.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    for (const person of others) expect((await person.me()).status).toBe(401)
    await open('/console/me')
    await card.getByText('this browser').waitFor()
    expect(viewer.troubles).toEqual([])
  })

  test('a webhook is made, tried, changed and deleted, and says what became of events', async () => {
    const at = await enter()
    const { page, open } = at
    await open('/console/webhooks')
    await page.getByText('No program is told of anything yet.').waitFor()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const adding = dialogOf(page, 'Add a webhook')
    await adding.getByLabel('Address').fill(receiver.url)
    await adding.getByRole('button', { name: 'Add, and show the secret' }).click()
    await adding.getByText('Correct what is marked and send again.').waitFor()
    await adding.getByRole('checkbox', { name: /A customer signs up/ }).check()
    await adding.getByRole('checkbox', { name: /An alert opens/ }).check()
    await adding.getByRole('button', { name: 'Add, and show the secret' }).click()
    expect(await takeSecret(page, 'The secret')).toMatch(/^whsec_/)
    const [made] = await read('/webhooks')
    expect(made).toMatchObject({
      url: receiver.url,
      is_active: true,
      events: ['user.created', 'alert.opened'],
    })

    await page.getByText('Deliveries of the last 30 days').click()
    await page.getByText('Nothing has been sent there yet.').waitFor()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText(/^. Accepted with 200/).waitFor()
    expect(receiver.accepted.map(({ event }) => event.type)).toEqual(['webhook.test'])
    receiver.behave = () => 500
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText(/Answered 500/).waitFor()
    const rows = page.locator('.table tbody tr')
    await rows.nth(1).waitFor()
    expect(await rows.first().innerText()).toContain('500')
    receiver.behave = () => 200

    await page.getByRole('button', { name: /^Change/ }).click()
    const changing = dialogOf(page, 'Change the webhook')
    await changing.getByRole('checkbox', { name: /An alert opens/ }).uncheck()
    await changing.getByRole('checkbox', { name: /An order is paid/ }).check()
    await changing.getByLabel('Send events').uncheck()
    await write('PATCH', `/webhooks/${made.id}`, { events: ['node.offline'] })
    await changing.getByRole('button', { name: 'Save', exact: true }).click()
    await changing.getByRole('row', { name: 'What it is told of' }).getByLabel('A node is away').waitFor()
    await changing.getByRole('button', { name: 'Save with what I chose' }).click()
    await page.getByText('switched off').waitFor()
    expect((await read('/webhooks'))[0]).toMatchObject({
      is_active: false,
      events: ['user.created', 'order.paid'],
    })

    await page.getByRole('button', { name: 'Delete' }).click()
    await dialogOf(page, 'Delete this webhook?').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No program is told of anything yet.').waitFor()
    expect(await read('/webhooks')).toEqual([])
    expect(troublesOf(at, 400, 409)).toEqual([])
  })

  test('what was saved is taken back by one press, and not where somebody was quicker', async () => {
    const at = await enter()
    const { page, open } = at
    await write('PATCH', '/settings', { referral_hold_days: 14 })
    await open('/console/settings')
    const part = page.locator('section.card', { hasText: 'Invitations' })
    const days = part.getByLabel('Days for which earnings are held')
    const save = async (text: string) => {
      await days.fill(text)
      await part.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
    }
    await save('3')
    expect(await read('/settings')).toMatchObject({ referral_hold_days: 3 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('It is as it was before.').waitFor()
    await page.getByText('Saved.').waitFor({ state: 'detached' })
    expect(await read('/settings')).toMatchObject({ referral_hold_days: 14 })
    expect(await days.inputValue()).toBe('14')

    await save('4')
    await write('PATCH', '/settings', { referral_hold_days: 5 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.toasts [role=alert]').waitFor()
    expect(await read('/settings')).toMatchObject({ referral_hold_days: 5 })
    expect(troublesOf(at, 409)).toEqual([])
  })

  test('settings are changed part by part, and a part that others changed is compared', async () => {
    const at = await enter()
    const { page, open } = at
    await open('/console/settings')
    const part = (title: string) => page.locator('section.card', { hasText: title })
    await part('Figures').getByLabel('Time zone of figures').selectOption('Asia/Almaty')
    await part('Withdrawals')
      .getByLabel(/^Two people above this sum/)
      .fill('5000')
    await part('Withdrawals').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(await read('/settings')).toMatchObject({ two_person_amount: 5000, time_zone: 'Europe/Moscow' })
    // What was chosen in another part is still there.
    await part('Figures').getByRole('button', { name: 'Save' }).click()
    await page.getByText(/It is .+ there now/).waitFor()
    await expect.poll(() => read('/settings')).toMatchObject({ time_zone: 'Asia/Almaty' })

    await write('PATCH', '/settings', { two_person_amount: 7000 })
    await part('Withdrawals')
      .getByLabel(/^Two people above this sum/)
      .fill('')
    await part('Withdrawals').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody has changed this meanwhile').waitFor()
    await page.getByLabel('7000').waitFor()
    await page.getByRole('button', { name: 'Save with what I chose' }).click()
    await expect.poll(() => read('/settings')).toMatchObject({ two_person_amount: null })
    await write('PATCH', '/settings', { time_zone: 'Europe/Moscow' })
    expect(troublesOf(at, 409)).toEqual([])
  })

  test('who may not change sees what is set, and who may not see is told so', async () => {
    const support = await enter('support')
    await support.open('/console/settings')
    await support.page.getByText('one person is enough').waitFor()
    expect(await support.page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    for (const path of ['/console/operators', '/console/webhooks']) {
      await support.open(path)
      await support.page.getByText('Your role').waitFor()
    }
    expect(support.viewer.troubles).toEqual([])
    const finance = await enter('finance')
    await finance.open('/console/settings')
    await finance.page.getByText('An owner can change this.').waitFor()
    expect(await finance.page.getByRole('button', { name: 'Save' }).count()).toBe(2)
    expect(finance.viewer.troubles).toEqual([])
    const technician = await enter('technician')
    await technician.open('/console/me')
    await technician.page.getByText('Where you are signed in').waitFor()
    expect(await technician.page.getByRole('heading', { name: 'Tokens' }).count()).toBe(0)
    expect(technician.viewer.troubles).toEqual([])
  })

  const sights: readonly Sight[] = [
    { device: 'desktop', theme: 'dark', language: 'en' },
    { device: 'narrow', theme: 'light', language: 'en' },
  ]

  test.each(sights)('what stands over the screens can be used by everybody: $device', async (sight) => {
    const { viewer, page, open, id } = await enter('owner', sight)
    const { id: webhook } = await write('POST', '/webhooks', { url: receiver.url, events: ['order.paid'] })
    await write('POST', `/operators/${id}/tokens`, { title: 'watch', operations: ['listNodes'] })
    const broken: string[] = []
    const look = async (name: string) => {
      broken.push(...(await viewer.axe()).map((rule) => `${name}: ${rule}`))
      // Heads of tables are there for those who do not see, on a phone.
      const outside = (await viewer.overflow()).filter((element) => !/^<t[rh]/.test(element))
      broken.push(...outside.map((element) => `${name} sticks out: ${element}`))
      if (!pictures) return
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `over-${name}-${sight.device}-${sight.theme}.png`) })
    }
    const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
    await open('/console/operators')
    await press('Add an operator')
    await page.getByText('You get a link').waitFor()
    await look('add-operator')
    await open(`/console/operators?id=${id}`)
    await press('Switch off…')
    await look('switch-off')
    await open('/console/me')
    await press('New token…')
    await page.locator('dialog summary').first().click()
    await page.getByRole('checkbox').first().waitFor()
    await look('new-token')
    await open('/console/webhooks')
    await press(/^Test/)
    await page.getByText(/Accepted with 200/).waitFor()
    await page.getByText('Deliveries of the last 30 days').click()
    await page.locator('tbody tr').first().waitFor()
    await look('deliveries')
    await press(/^Change/)
    await page.getByRole('checkbox').first().waitFor()
    await look('change-webhook')
    await write('DELETE', `/webhooks/${webhook}`)
    expect(broken).toEqual([])
    expect(viewer.troubles).toEqual([])
  })

  test('the last owner stays one, and is told why', async () => {
    const at = await enter()
    const { page, open, id } = at
    const others = service.db.updateTable('operators').where('role', '=', 'owner').where('id', '!=', id)
    await others.set({ role: 'support' }).execute()
    await open(`/console/operators?id=${id}`)
    await page.getByLabel('Role').selectOption('finance')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('This is the last owner. Make somebody else an owner first').waitFor()
    await page.getByRole('button', { name: 'Switch off…' }).click()
    const asked = dialogOf(page, 'Switch The owner off?')
    await asked.getByRole('button', { name: 'Switch off' }).click()
    await asked.getByText('This is the last owner.').waitFor()
    const mine = service.db.selectFrom('operators').select(['role', 'revoked_at']).where('id', '=', id)
    expect(await mine.executeTakeFirst()).toEqual({ role: 'owner', revoked_at: null })
    expect(troublesOf(at, 409)).toEqual([])
  })
})
