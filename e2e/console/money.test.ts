import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Role } from '@sallyport/contract/operation'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser, usualOrder } from '../../test/support/service.ts'
import { launchBrowser } from '../support/cabinet/person.ts'
import { type AtConsole, signInToConsole } from '../support/console/signed-in.ts'
import type { Sight } from '../support/viewer.ts'

/** A folder for pictures of dialogs, for those who change how they look. */
const pictures = process.env.SALLYPORT_PICTURES

const desk: Sight = { device: 'desktop', theme: 'light', language: 'en' }
const phone: Sight = { device: 'narrow', theme: 'dark', language: 'ru' }

const button = (at: Page | Locator, name: string | RegExp) =>
  at.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Codes, ways to pay, the books, and messages to many: what an operator does there, and what becomes of it. */
describeWith(chromium, 'money and messages at the console', () => {
  let service: TestService
  let browser: Browser
  let anna: TestUser

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    anna = await service.createUser({ email: 'anna@example.com', balance: 5000 })
    await service.heartbeat()
    await service.buy(anna)
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const signIn = async (sight: Sight, role?: Role): Promise<AtConsole> => {
    const there = await signInToConsole(browser, service, sight, role)
    onTestFinished(() => there.viewer.close())
    return there
  }
  const list = async (path: string) => (await service.operator('GET', path)).body.data

  /** As it stands now: nothing against it, and a picture for those who want one. */
  const look = async ({ viewer }: AtConsole, name: string): Promise<void> => {
    if (pictures) {
      mkdirSync(pictures, { recursive: true })
      await viewer.page.screenshot({ path: join(pictures, `money-${name}.png`) })
    }
    expect(await viewer.axe(), name).toEqual([])
  }

  /** Nothing is complained about but what the test has brought about. */
  const expectCalm = ({ viewer }: AtConsole, refusal?: RegExp): void =>
    expect(viewer.troubles.filter((one) => !refusal?.test(one))).toEqual([])

  const prove = async (page: Page): Promise<void> => {
    await button(page.getByRole('dialog', { name: 'Is it you?' }), 'Confirm with a passkey').click()
  }

  test('a batch of codes is issued after a proof, can be kept, is used by a customer, and one is revoked', async () => {
    const there = await signIn(desk)
    const { page } = there.viewer
    await there.open('/console/promocodes')
    service.clock.advance(301)
    await button(page, 'Issue codes').click()
    const asked = page.getByRole('dialog', { name: 'Issue codes' })
    await asked.getByLabel('Days', { exact: true }).fill('7')
    await asked.getByLabel('How many').fill('3')
    await look(there, 'issue')
    await button(asked, 'Issue').click()
    await prove(page)
    const issued = page.getByRole('dialog', { name: '3 codes issued' })
    const codes = (await issued.getByLabel('Codes, one a line').inputValue()).split('\n')
    expect(new Set(codes).size).toBe(3)
    await look(there, 'issued')
    await button(issued, 'Copy all').click()
    await issued.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'))
    const download = page.waitForEvent('download')
    await button(issued, 'Save as CSV').click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^promocodes-\d{4}-\d\d-\d\d-3x7\.csv$/)
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
    expect(lines).toEqual([
      '\uFEFFcode,product_type,days,expires_at',
      ...codes.map((code) => `${code},configs,7,`),
      '',
    ])
    // A slip of a key does not lose them.
    await page.keyboard.press('Escape')
    await button(page, 'Show them').click()
    expect(await issued.getByLabel('Codes, one a line').inputValue()).toBe(codes.join('\n'))
    await page.keyboard.press('Escape')

    const [used = '', revoked = ''] = codes
    const boris = await service.createUser({ email: 'boris@example.com' })
    const { location_id, protocol } = usualOrder
    await service.heartbeat()
    const bought = await service.customer(boris, 'POST', '/configs', {
      location_id,
      protocol,
      promocode: used,
    })
    expect(bought.status).toBe(201)
    await there.open('/console/promocodes')
    const usedRow = rowOf(page, `${used.slice(0, 4)}-`).filter({ hasText: used.slice(-4) })
    await usedRow.getByText(/used$/).waitFor()
    expect(await button(usedRow, /^Revoke/).count()).toBe(0)

    const row = rowOf(page, `${revoked.slice(0, 4)}-`).filter({ hasText: revoked.slice(-4) })
    await button(row, /^Revoke/).click()
    const sure = page.getByRole('dialog', { name: /^Revoke / })
    await sure.getByText('stops working for good').waitFor()
    await look(there, 'revoke')
    await button(sure, 'Revoke').click()
    await row.getByText('revoked').waitFor()
    expect((await list('/promocodes?is_active=true')).length).toBe(1)

    await page.getByLabel('State').selectOption('true')
    await page.waitForURL(/is_active=true/)
    await rowOf(page, 'works').first().waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByLabel('State').selectOption('false')
    await page.getByRole('link', { name: `Customer ${boris.id}` }).click()
    await page.getByRole('heading', { level: 1, name: 'boris@example.com' }).waitFor()
    expectCalm(there, /status of 403/)
  })

  test('a way to pay is switched off and on, renamed where somebody else was quicker, and added', async () => {
    const there = await signIn(desk)
    const { page } = there.viewer
    await there.open('/console/methods')
    const sbp = async () =>
      (await list('/payment-methods')).find(({ key }: { readonly key: string }) => key === 'sbp')
    const { name_en: name, id } = await sbp()
    await button(page, `Switch off ${name}`).click()
    await rowOf(page, 'sbp').getByText('switched off').waitFor()
    expect(await sbp()).toMatchObject({ is_active: false })
    await button(page, `Switch on ${name}`).click()
    await rowOf(page, 'sbp').getByText('on sale').waitFor()
    expect(await sbp()).toMatchObject({ is_active: true, is_available: true })

    await button(page, `Change… ${name}`).click()
    const dialog = page.getByRole('dialog', { name: `Change ${name}` })
    await dialog.getByLabel('Name in English').fill('Fast payments')
    await dialog.getByLabel('The smallest sum').fill('25')
    await look(there, 'change-method')
    await service.operator('PATCH', `/payment-methods/${id}`, { name_en: 'SBP of theirs', min_amount: 50 })
    await button(dialog, 'Save').click()
    await dialog.getByText('Somebody has changed this meanwhile').waitFor()
    await look(there, 'compare-method')
    await dialog
      .getByRole('row', { name: /^The smallest sum/ })
      .getByLabel('50')
      .check()
    await button(dialog, 'Save with what I chose').click()
    await dialog.waitFor({ state: 'hidden' })
    await rowOf(page, 'sbp').getByText('Fast payments').waitFor()
    expect(await sbp()).toMatchObject({ name_en: 'Fast payments', min_amount: 50 })

    await button(page, 'Add a method').click()
    const adding = page.getByRole('dialog', { name: 'Add a method' })
    await adding.getByLabel('Key').fill('invoice')
    await adding.getByLabel('Name in Russian').fill('По счёту')
    await adding.getByLabel('Name in English').fill('By invoice')
    await adding.getByLabel('The smallest sum').fill('100')
    await look(there, 'add-method')
    await button(adding, 'Add').click()
    await rowOf(page, 'By invoice').getByText('on, but not on sale').waitFor()
    await rowOf(page, 'By invoice')
      .getByText('It has no provider, and none that is configured takes it.')
      .waitFor()
    expectCalm(there, /status of 409/)
  })

  test('a rate that ran out keeps its methods from customers until it is set', async () => {
    await service.operator('PUT', '/rates/TON', { rub: 280, valid_hours: 1 })
    service.clock.advance(3601)
    const there = await signIn(desk)
    const { page } = there.viewer
    await there.open('/console/methods')
    const rate = rowOf(page, 'TON').filter({ hasText: '280' })
    await rate.getByText('has run out').waitFor()
    await rate.getByText('1 hour ago').waitFor()
    await page.getByText(/TON has no rate that still holds/).waitFor()
    await look(there, 'stale-rate')
    await button(page, 'Set… TON').click()
    const dialog = page.getByRole('dialog', { name: 'What is one TON worth?' })
    await dialog.getByLabel('Roubles for one TON').fill('312.5')
    await dialog.getByLabel('Holds for').selectOption({ label: 'a day' })
    await look(there, 'set-rate')
    await button(dialog, 'Set the rate').click()
    await rowOf(page, '312.5').getByText('good for selling').waitFor()
    await page.getByText(/TON has no rate that still holds/).waitFor({ state: 'detached' })
    const ton = async () =>
      (await list('/rates')).find(({ currency }: { readonly currency: string }) => currency === 'TON')
    expect(await ton()).toMatchObject({
      rub: 312.5,
      source: 'operator',
      valid_until: service.clock.now() + 86_400,
    })

    // Somebody else sets it while this one is written: what is not chosen stays as they have set it.
    await button(page, 'Set… TON').click()
    await dialog.getByLabel('Roubles for one TON').fill('999')
    await dialog.getByLabel('Holds for').selectOption({ label: 'a week' })
    await service.operator('PUT', '/rates/TON', { rub: 320, valid_hours: 48 })
    await button(dialog, 'Set the rate').click()
    await dialog
      .getByRole('row', { name: /^Roubles/ })
      .getByLabel('320')
      .check()
    await look(there, 'compare-rate')
    await button(dialog, 'Save with what I chose').click()
    await dialog.waitFor({ state: 'hidden' })
    await rowOf(page, '320').getByText('good for selling').waitFor()
    expect(await ton()).toMatchObject({ rub: 320, valid_until: service.clock.now() + 7 * 86_400 })
    expectCalm(there, /status of 409/)
  })

  test('the books are exact or it is said what they are, and every transfer leads to its order', async () => {
    const there = await signIn(desk)
    const { page } = there.viewer
    await there.open('/console/ledger')
    await page.getByText('The books are exact').waitFor()
    await page.getByText('What can be asked').click()
    await look(there, 'ledger')
    await page.getByRole('link', { name: 'revenue', exact: true }).first().click()
    await page.waitForURL(/account=revenue/)
    await rowOf(page, 'purchase').first().waitFor()
    await rowOf(page, 'purchase')
      .first()
      .getByText(/^\+200/)
      .waitFor()
    await page.getByLabel('Account', { exact: true }).fill('users of mine')
    await page.getByLabel('Account', { exact: true }).press('Enter')
    await page.getByText(/is no account; name user:<id>:wallet/).waitFor()
    await button(page, 'Clear filters').click()
    await page.getByLabel('The cause begins with').fill('order:1:')
    await page.getByLabel('The cause begins with').press('Enter')
    await page.waitForURL(/cause=order/)
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('link', { name: 'order 1' }).click()
    await page.getByRole('heading', { level: 1, name: 'Order 1' }).waitFor()

    const wallet = service.db.updateTable('ledger_accounts').where('kind', '=', 'wallet')
    const ofAnna = wallet.where('user_id', '=', anna.id)
    await ofAnna.set(({ eb }) => ({ balance: eb('balance', '+', 7) })).execute()
    await there.open('/console/ledger')
    await page.getByText('The books are off by 7').waitFor()
    await look(there, 'ledger-off')
    await ofAnna.set(({ eb }) => ({ balance: eb('balance', '-', 7) })).execute()
    await button(page, 'Check again').click()
    await page.getByText('The books are exact').waitFor()
    expectCalm(there, /status of 400/)
  })

  const fillLetter = async (page: Page, ru: string, en: string): Promise<void> => {
    await page.getByLabel('Text in Russian').fill(ru)
    await page.getByLabel('Text in English').fill(en)
    await button(page, 'See for whom it is').click()
  }

  test('a message to many is seen with its number first, then goes out while one looks', async () => {
    const many: TestUser[] = []
    for (let at = 0; at < 12; at++) many.push(await service.createUser({ email: `told${at}@example.com` }))
    const there = await signIn(desk)
    const { page } = there.viewer
    await there.open('/console/broadcasts?search=told1')
    expect(await page.getByLabel('To whom').inputValue()).toBe('search')
    expect(await page.getByLabel('Search', { exact: true }).last().inputValue()).toBe('told1')
    await look(there, 'letter')
    const hostile = '<img src=x onerror="document.title=1">\nСегодня ночью'
    await fillLetter(page, hostile, 'Tonight')
    await page.getByText('It is for 3 customers.').waitFor()
    for (const email of ['told1@', 'told10@', 'told11@'])
      await page.getByRole('link', { name: new RegExp(`^${email}`) }).waitFor()
    expect(await page.locator('.said[lang=ru]').first().textContent()).toBe(hostile)
    await look(there, 'preview')
    expect(await list('/broadcasts')).toEqual([])
    await button(page, 'Back to the text').click()
    expect(await page.getByLabel('Text in Russian').inputValue()).toBe(hostile)
    await page.getByLabel('Text in English').fill('Tonight!')
    await button(page, 'See for whom it is').click()
    await button(page, 'Send to 3 customers').click()
    await rowOf(page, 'Tonight!').getByText('3 of 3 have it').waitFor()
    const [told] = (await service.customer(many[1] as TestUser, 'GET', '/profile/notifications')).body.data
    expect(told.content).toBe(hostile)
    await page.waitForURL(/\/console\/broadcasts$/)
    await look(there, 'sent')

    // One that waits is looked at now and then, and goes out while somebody looks.
    const send_at = service.clock.now() + 600
    const later = { search: 'told2', content_ru: 'Потом', content_en: 'Later', send_at, confirm: true }
    await service.operator('POST', '/broadcasts', later)
    await there.open('/console/broadcasts')
    await rowOf(page, 'Later').getByText('waits for its time').waitFor()
    service.clock.advance(600)
    await service.running.runJobs()
    await page.clock.fastForward(31_000)
    await rowOf(page, 'Later').getByText('1 of 1 have it').waitFor()
    expectCalm(there)
  })

  test('what is planned can be stopped, and on a phone in the other language all of it is there as well', async () => {
    const there = await signIn(phone)
    const { page } = there.viewer
    await there.open('/console/broadcasts?view=everyone')
    await look(there, 'letter-phone')
    await page.getByLabel('Текст по-русски').fill('Завтра обновление')
    await page.getByLabel('Текст по-английски').fill('An update tomorrow')
    const inAnHour = service.clock.now() + 3600
    const local = await page.evaluate(`new Date(${(inAnHour - new Date().getTimezoneOffset() * 60) * 1000})
      .toISOString().slice(0, 16)`)
    await page.getByLabel('Не раньше').fill(String(local))
    await button(page, 'Посмотреть, кому уйдёт').click()
    await page.getByText(/^Уйдёт \d+\sклиент/).waitFor()
    await look(there, 'preview-phone')
    await button(page, /^Запланировать для/).click()
    const row = rowOf(page, 'Завтра обновление')
    await row.getByText('ждёт своего времени').waitFor()
    await button(row, /^Остановить/).click()
    const sure = page.getByRole('dialog', { name: 'Остановить рассылку?' })
    await look(there, 'stop-phone')
    await button(sure, 'Остановить').click()
    await row.getByText('остановлена').waitFor()
    expect((await list('/broadcasts'))[0]).toMatchObject({ state: 'stopped', sent: 0, view: 'everyone' })

    await there.open('/console/promocodes')
    await button(page, 'Выпустить коды').click()
    const asked = page.getByRole('dialog', { name: 'Выпустить коды' })
    await look(there, 'issue-phone')
    await asked.getByLabel('Сколько кодов').fill('2')
    await button(asked, 'Выпустить').click()
    await page.getByRole('dialog', { name: 'Выпущено: 2 кода' }).waitFor()
    await look(there, 'issued-phone')
    await there.open('/console/methods')
    await button(page, /^Задать… USDT/).click()
    await look(there, 'set-rate-phone')
    expectCalm(there)
  })

  test('support sees codes, and nothing that issues or revokes them', async () => {
    const there = await signIn(desk, 'support')
    const { page } = there.viewer
    await service.operator('POST', '/promocodes', { product_type: 'configs', days: 3, count: 1 })
    await there.open('/console/promocodes')
    await rowOf(page, 'works').first().waitFor()
    expect(await button(page, /^(Issue|Revoke)/).count()).toBe(0)
    await there.open('/console/methods')
    await rowOf(page, 'sbp').waitFor()
    expect(await button(page, /^(Change|Switch|Set…|Add a)/).count()).toBe(0)
    for (const path of ['/console/ledger', '/console/broadcasts']) {
      await there.open(path)
      await page.getByText('Your role does not have this page').waitFor()
    }
    expectCalm(there)
  })
})
