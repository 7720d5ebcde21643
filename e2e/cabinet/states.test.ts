import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HetznerStandIn, startHetzner } from '../../test/support/clouds/hetzner.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { launchBrowser } from '../support/cabinet/person.ts'
import { type Scene, Scenes } from '../support/cabinet/scenes.ts'
import { settled } from '../support/cabinet/visit.ts'
import { desk, judge, judgeColours, nameOf, openCabinet, phone, picture } from '../support/cabinet/walk.ts'

const token = 'a-token-of-hetzner'

/** What may have become of a customer's things, each as its pages tell it. Time goes on from one to the next. */
describeWith(chromium, 'states of the cabinet', () => {
  let service: TestService
  let hetzner: HetznerStandIn
  let browser: Browser
  let scenes: Scenes

  beforeAll(async () => {
    const opening = launchBrowser()
    hetzner = await startHetzner({ token, nowMs: () => service.clock.now() * 1000 })
    service = await startTestService({ withoutLimits: true, env: { HETZNER_URL: hetzner.url } })
    browser = await opening
    scenes = new Scenes(service, token)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await hetzner?.close()
  })

  const walk = async (state: string, { user, pages }: Scene): Promise<void> => {
    const wrong: string[] = []
    for (const sight of [phone, desk]) {
      const viewer = await openCabinet({ browser, service }, sight, { user })
      const settle = () => settled(viewer.page)
      for (const [name, address] of pages) {
        await viewer.look(service.running.url + address)
        await settle()
        await picture(viewer, nameOf(`${state}-${name}`, sight))
        const found = await judge(viewer, settle)
        if (sight === phone) found.push(...(await judgeColours(viewer, sight.theme)))
        wrong.push(...found.map((one) => `${name} ${sight.device}: ${one}`))
      }
      await viewer.close()
    }
    expect(wrong).toEqual([])
  }

  test('nothing yet', async () => walk('empty', await scenes.empty()))
  test('nothing there', async () => walk('lost', await scenes.lost()))
  test('ended, ending and gone', async () => {
    const { gone, ended, ending } = await scenes.ended()
    await walk('ended', ended)
    await walk('ending', ending)
    await walk('gone', gone)
  })
  test('an option without traffic', async () => walk('limited', await scenes.limited()))
  test('an option that is switched off', async () => walk('disabled', await scenes.disabled()))
  test('machines on their way', async () => walk('ordered', await scenes.ordered()))
  test('devices', async () => walk('devices', await scenes.devices()))
  test('payments', async () => walk('payments', await scenes.payments()))
  test('long names', async () => walk('long', await scenes.long()))
  test('servers that are down', async () => walk('down', await scenes.down()))
})
