import { expect, test } from 'vitest'
import { startTestService } from '../../../../test/support/service.ts'
test('x', async () => {
  const service = await startTestService()
  const user = await service.createUser({})
  await service.operator('POST', `/users/${user.id}/balance`, { account: 'wallet', amount: 1000, reason: 'x' })
  await service.heartbeat()
  console.log(JSON.stringify(await service.customer(user, 'POST', '/configs', { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 })))
  await service.running.runJobs()
  const { body, headers, status } = await service.call('GET', '/metrics')
  console.log(status, headers.get('x-request-id'), body)
  await service.stop()
  expect(1).toBe(1)
})
