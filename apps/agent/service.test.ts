import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { freePort } from '../../test/support/ports.ts'
import { enrol } from './enrol.ts'
import { connectService, type Service } from './service.ts'
import { FakeService } from './testing/fake-service.ts'

const { signal } = new AbortController()

const calls: [string, (service: Service) => Promise<unknown>][] = [
  ['state', (service) => service.pollState(0, 0, signal)],
  ['report', (service) => service.report({} as never, signal)],
  ['trials', (service) => service.answerTrial(1, { is_accepted: true, reason: null }, signal)],
]

test.concurrent.for(calls)('told to come later with %s, it does not ask before', async ([what, call], {
  expect,
  onTestFinished,
}) => {
  const fake = new FakeService(await freePort())
  await fake.start()
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-agent-'))
  onTestFinished(async () => {
    await fake.stop()
    await rm(directory, { recursive: true })
  })
  const service = await connectService(fake.url, await enrol(fake.url, fake.enrolmentToken, directory))
  fake.busyFor[what as 'state'] = 1
  await expect(call(service)).rejects.toMatchObject({ statusCode: 429, retryAfterMs: 1000 })
  const others = calls.filter(([name]) => name !== what)
  for (const [, other] of others) await other(service)
  await call(service)
  const [first = 0, second = 0] = fake.askedAtMs.flatMap((one) => (one.what === what ? [one.at] : []))
  expect(second - first).toBeGreaterThanOrEqual(990)
})
