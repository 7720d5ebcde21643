import { expect, test } from 'vitest'
import { refusalReason, xrayFailure } from './trial.ts'

const head = 'exit code 23: Failed to start: main: failed to load config files: [stdin:] > '

test('the reason is what Xray says about this configuration', () => {
  expect(refusalReason(`${head}infra/conf: bad > infra/conf: VLESS clients: "flow" doesn't`)).toBe(
    'infra/conf: bad > infra/conf: VLESS clients: "flow" doesn\'t',
  )
  expect(refusalReason('killed by SIGKILL')).toBe('killed by SIGKILL')
  const crash = 'SIGSEGV: segmentation violation'
  expect(xrayFailure.test(crash)).toBe(true)
  expect(refusalReason(`exit code 2: ${crash}`)).toMatch(/want of memory$/)
})

test('it is short and names no file of this machine', () => {
  expect(refusalReason(`${head}open /root/.cache/x/geoip.dat: no such file`)).toBe(
    'open (file): no such file',
  )
  expect(refusalReason(`${head}stat "/etc/passwd"`)).toBe('stat "(file)"')
  expect(refusalReason(head + 'x'.repeat(1000))).toHaveLength(300)
})
