import { describe, expect, test } from 'vitest'
import { estimatedDelayMs, kmBetween, nearestCountry } from './delay.ts'
import { countryCodes, countryPoint, zonePoint } from './places.ts'

test('the way between two points is that of an aeroplane', () => {
  const [moscow, newYork] = [zonePoint('Europe/Moscow'), zonePoint('America/New_York')]
  expect(kmBetween(moscow ?? [0, 0], newYork ?? [0, 0])).toBeGreaterThan(7400)
  expect(kmBetween(moscow ?? [0, 0], newYork ?? [0, 0])).toBeLessThan(7600)
  expect(kmBetween([0, 0], [0, 0])).toBe(0)
  expect(kmBetween([0, -179], [0, 179])).toBeLessThan(250)
})

/** The first five are figures that are usual there; the others WonderProxy has measured between its own servers and published. */
describe('is within half of what is measured', () => {
  test.each<[zone: string, country: string, ms: number]>([
    ['Europe/Moscow', 'FI', 20],
    ['Europe/Moscow', 'NL', 43],
    ['Europe/Moscow', 'DE', 42],
    ['Europe/Moscow', 'US', 131],
    ['Europe/Berlin', 'JP', 240],
    ['Europe/Moscow', 'FR', 57],
    ['Europe/Moscow', 'CH', 60],
    ['Europe/Paris', 'US', 78],
    ['Europe/Zurich', 'US', 101],
    ['America/Chicago', 'US', 37],
    ['America/Los_Angeles', 'US', 78],
    ['America/Los_Angeles', 'AU', 185],
    ['Europe/Rome', 'AU', 345],
    ['Europe/Paris', 'AU', 349],
    ['Europe/Moscow', 'AU', 387],
  ])('%s to %s', (zone, country, ms) => {
    const estimate = estimatedDelayMs(zone, country) ?? 0
    expect(estimate / ms).toBeGreaterThan(1 / 1.5)
    expect(estimate / ms).toBeLessThan(1.5)
  })
})

test('it is rounded: to 5 up to a hundred, then to 10', () => {
  expect(estimatedDelayMs('Europe/Helsinki', 'FI')).toBe(10)
  for (const code of countryCodes) {
    const ms = estimatedDelayMs('Europe/Moscow', code) ?? 0
    expect(ms % (ms < 100 ? 5 : 10), `${code} ${ms}`).toBe(0)
  }
})

test.each([
  ['UTC', 'NL'],
  ['Etc/GMT-3', 'NL'],
  ['Moscow', 'NL'],
  ['', 'NL'],
  ['Europe/Atlantis', 'NL'],
  ['Europe/Moscow', 'XX'],
  ['Europe/Moscow', ''],
])('nothing is told of %j and %j', (zone, code) => {
  expect(estimatedDelayMs(zone, code)).toBeUndefined()
})

test('zones and countries are known by every spelling that is in use', () => {
  expect(zonePoint('America/Argentina/Buenos_Aires')).toEqual(zonePoint('America/Buenos_Aires'))
  expect(zonePoint('Asia/Calcutta')).toEqual(zonePoint('Asia/Kolkata'))
  expect(zonePoint('Europe/Kiev')).toEqual(zonePoint('Europe/Kyiv'))
  expect(countryPoint('nl')).toEqual(countryPoint('NL'))
  expect(countryCodes.length).toBeGreaterThan(80)
  expect(countryCodes.filter((code) => countryPoint(code) === undefined)).toEqual([])
})

test('every zone that browsers know for these countries is one, and stands on the globe', () => {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zonePoint(zone))
  expect(zones.length).toBeGreaterThan(150)
  for (const zone of zones) {
    const [latitude = 0, longitude = 0] = zonePoint(zone) ?? []
    // A zone is some fifteen degrees wide, and law bends it by two hours at most; China has one for all of it.
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    const offset = /GMT([+-]\d\d):(\d\d)/.exec(parts.format(new Date('2026-01-15')))
    const hours = offset ? Number(offset[1]) : 0
    const away = Math.abs(((longitude / 15 - hours + 36) % 24) - 12)
    expect(away, zone).toBeLessThan(3.6)
    expect(Math.abs(latitude), zone).toBeLessThan(70)
  }
})

describe('the nearest', () => {
  test('is told of several', () => {
    expect(nearestCountry('Europe/Moscow', ['NL', 'FI', 'US', 'FI'])).toBe('FI')
    expect(nearestCountry('America/Chicago', ['NL', 'FI', 'US'])).toBe('US')
    expect(nearestCountry('Asia/Yekaterinburg', ['KZ', 'DE', 'XX'])).toBe('KZ')
  })
  test('is not told of one, or of nobody knows where', () => {
    expect(nearestCountry('Europe/Moscow', ['NL', 'NL', 'XX'])).toBeUndefined()
    expect(nearestCountry('UTC', ['NL', 'FI'])).toBeUndefined()
  })
})
