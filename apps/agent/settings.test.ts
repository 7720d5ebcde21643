import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const env = { SALLYPORT_URL: 'http://127.0.0.1:8080/', SALLYPORT_AGENT_DIR: '/var/lib/sallyport' }

test('the usual values', () => {
  expect(readSettings(env)).toEqual({
    locate: expect.any(Function),
    serviceUrl: 'http://127.0.0.1:8080',
    stateDir: '/var/lib/sallyport',
    reportIntervalMs: 15_000,
    meterIntervalMs: 5000,
    allowPrivateTargets: false,
  })
})

test('all of them', () => {
  const all = {
    ...env,
    SALLYPORT_ENROL_TOKEN: 't',
    SALLYPORT_REPORT_INTERVAL_MS: '500',
    SALLYPORT_METER_INTERVAL_MS: '200',
    SALLYPORT_ALLOW_PRIVATE_TARGETS: 'true',
    SALLYPORT_RESERVED_PORTS: '10000-29999,35000',
    SALLYPORT_READY_FILE: '/run/sallyport-agent/ready',
  }
  expect(readSettings(all)).toMatchObject({
    enrolmentToken: 't',
    reportIntervalMs: 500,
    meterIntervalMs: 200,
    allowPrivateTargets: true,
    reservedPorts: '10000-29999,35000',
    readyFile: '/run/sallyport-agent/ready',
  })
})

test.each([
  ['SALLYPORT_URL', 'vpn.example.com'],
  ['SALLYPORT_AGENT_DIR', ''],
  ['SALLYPORT_REPORT_INTERVAL_MS', '5s'],
  ['SALLYPORT_METER_INTERVAL_MS', '0'],
  ['SALLYPORT_ALLOW_PRIVATE_TARGETS', 'maybe'],
  ['SALLYPORT_RESERVED_PORTS', 'many'],
])('a bad %s is named', (name, value) => {
  expect(() => readSettings({ ...env, [name]: value })).toThrow(name)
})
