import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HetznerStandIn, startHetzner } from '../../test/support/clouds/hetzner.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { disabledOption, limitedOption } from '../support/cabinet/option-scenes.ts'
import { payments } from '../support/cabinet/payment-scene.ts'
import { launchBrowser } from '../support/cabinet/person.ts'
import { Scenes } from '../support/cabinet/scenes.ts'
import { type Scene, Stage } from '../support/cabinet/stage.ts'
import { settled } from '../support/cabinet/visit.ts'
import { desk, openCabinet, phone } from '../support/cabinet/walk.ts'
import { judge, judgeColours, nameOf, picture } from '../support/judge.ts'
import type { Sight, Viewer } from '../support/viewer.ts'

const token = 'a-token-of-hetzner'

/** What may have become of a customer's things, each as its pages tell it. Time goes on from one to the next. */
describeWith(chromium, 'states of the cabinet', () => {
  let service: TestService
  let hetzner: HetznerStandIn
  let browser: Browser
  let stage: Stage
  let scenes: Scenes

  beforeAll(async () => {
    const opening = launchBrowser()
    hetzner = await startHetzner({ token, nowMs: () => service.clock.now() * 1000 })
    service = await startTestService({ withoutLimits: true, env: { HETZNER_URL: hetzner.url } })
    browser = await opening
    stage = new Stage(service)
    scenes = new Scenes(stage, hetzner, token)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await hetzner?.close()
  })

  const look = async (viewer: Viewer, sight: Sight, name: string): Promise<string[]> => {
    const settle = () => settled(viewer.page)
    await settle()
    await picture(viewer, nameOf(name, sight))
    const found = await judge(viewer, settle)
    if (sight === phone) found.push(...(await judgeColours(viewer, sight.theme)))
    return found.map((one) => `${name} ${sight.device}: ${one}`)
  }

  const walk = async (state: string, { user, pages }: Scene): Promise<void> => {
    const wrong: string[] = []
    for (const sight of [phone, desk]) {
      const viewer = await openCabinet({ browser, service }, sight, { user })
      for (const [name, address] of pages) {
        await viewer.look(service.running.url + address)
        wrong.push(...(await look(viewer, sight, `${state}-${name}`)))
      }
      await viewer.close()
    }
    expect(wrong).toEqual([])
  }

  test.each([phone, desk])('a code that is waited for over a reload: $language', async (sight) => {
    const viewer = await openCabinet({ browser, service }, sight)
    const { page } = viewer
    await page.goto(`${service.running.url}/sign-in`)
    await page.locator('input[type=email]').fill(`code-${sight.language}@example.com`)
    await page.keyboard.press('Enter')
    const code = page.locator('input[autocomplete="one-time-code"]').first()
    await code.waitFor()
    await page.reload()
    await code.waitFor()
    expect(await look(viewer, sight, 'sign-in-kept')).toEqual([])
    await viewer.close()
  })
  test('nothing yet', async () => walk('empty', await scenes.empty()))
  test('nothing there', async () => walk('lost', await scenes.lost()))
  test('ended, ending and gone', async () => {
    const { gone, ended, ending } = await scenes.ended()
    await walk('ended', ended)
    await walk('ending', ending)
    await walk('gone', gone)
  })
  test('an option without traffic', async () => walk('limited', await limitedOption(stage)))
  test('an option that is switched off', async () => walk('disabled', await disabledOption(stage)))
  test('machines on their way', async () => walk('ordered', await scenes.ordered()))
  test('devices', async () => walk('devices', await scenes.devices()))
  test('payments', async () => walk('payments', await payments(stage)))
  test('long names', async () => walk('long', await scenes.long()))
  test('servers that are down', async () => walk('down', await scenes.down()))
})
