import { nobody } from '../people.ts'
import type { World } from '../world.ts'

/** Too much of anything is refused, with a word about when to come again. */

export const limits = async ({ life }: World): Promise<void> => {
  const hasty = await life.newcomer('hasty', { balance: 100 })
  const atOnce = { isAtOnce: true }
  const order = { body: { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 } }
  await life.ask(hasty, 'buyConfig', order)
  await life.ask(hasty, 'buyConfig', { ...order, ...atOnce })
  await life.ask(hasty, 'buyConfig', order)
  for (let n = 0; n < 3; n++) await life.ask(hasty, 'resetSubscriptionLink', atOnce)
  for (let n = 0; n < 4; n++) await life.ask(hasty, 'createOtp', atOnce)
  const params = { config_id: 999_999_999 }
  for (let n = 0; n < 2; n++) await life.ask(hasty, 'resetXrayConfig', { params, ...atOnce })
  for (let n = 0; n < 4; n++) await life.ask(hasty, 'showServerStats', { params, ...atOnce })
  // Keys that nobody has are guesses.
  for (let n = 0; n < 11; n++)
    await life.ask(hasty, 'buyConfig', {
      body: {
        location_id: 1,
        protocol: 'vless',
        promocode: `AAAA-BBBB-CCCC-DD${String(n).padStart(2, '0')}`,
      },
    })
  for (let n = 0; n < 11; n++)
    await life.ask(nobody, 'signInWithOtp', { body: { login: 'hasty@example.com', password: '0000-0000' } })
  await life.ask(hasty, 'changeXrayConfig', { params, body: { xray_config: 'x'.repeat(129 * 1024) } })
  await life.raw('POST', '/v1/configs', {
    token: hasty.apiKey,
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  })
  await life.raw('POST', '/v1/configs', { token: hasty.apiKey, body: '{' })
}
