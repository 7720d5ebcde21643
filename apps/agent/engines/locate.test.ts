import { expect, test } from 'vitest'
import { isOlder, judgeXrayVersion, locateXray, parseXrayVersion } from './locate.ts'

const output = (version: string) =>
  `Xray ${version} (Xray, Penetrates Everything.) Custom (go1.26.8 linux/amd64)\nA unified platform for anti-censorship.\n`

test('reads the version from what Xray really prints', () => {
  expect(parseXrayVersion(output('26.3.27'))).toBe('26.3.27')
  expect(parseXrayVersion('V2Ray 5.1.0')).toBeNull()
})

test.each([
  ['26.3.26', true],
  ['25.12.31', true],
  ['1.8.24', true],
  ['26.3.27', false],
  ['26.7.28', false],
  ['26.10.1', false],
])('%s is older than 26.3.27: %s', (version, older) => {
  expect(isOlder(version, '26.3.27')).toBe(older)
})

test('an old Xray is refused with the reason and the remedy', () => {
  expect(judgeXrayVersion('/usr/bin/xray', output('1.8.24'))).toMatchObject({
    state: 'refused',
    version: '1.8.24',
    reason: expect.stringMatching(/older than 26\.3\.27.*npm run engines:install/),
  })
})

test('a missing Xray says how to install it', async () => {
  const located = await locateXray({ PATH: '/nowhere', XDG_CACHE_HOME: '/nowhere' })
  expect(located).toMatchObject({
    state: 'missing',
    reason: expect.stringContaining('npm run engines:install'),
  })
  const named = await locateXray({ SALLYPORT_XRAY: '/nowhere/xray' })
  expect(named).toMatchObject({ state: 'missing', reason: expect.stringContaining('/nowhere/xray') })
})

test('a program that is not Xray is refused', async () => {
  expect(await locateXray({ SALLYPORT_XRAY: '/bin/true' })).toMatchObject({ state: 'refused' })
})
