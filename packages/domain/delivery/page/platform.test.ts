import { expect, test } from 'vitest'
import { platformOf } from './platform.ts'

const mozilla = 'Mozilla/5.0'

test.each([
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1`,
    'ios',
  ],
  [`${mozilla} (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1`, 'ios'],
  [
    `${mozilla} (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36`,
    'android',
  ],
  [`${mozilla} (Linux; Android 14; SM-S921B; wv) AppleWebKit/537.36 Telegram-Android/11.5`, 'android'],
  [`${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36`, 'windows'],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15`,
    'macos',
  ],
  [`${mozilla} (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0`, 'linux'],
  [`${mozilla} (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36`, 'linux'],
  [`${mozilla} (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 TV Safari/537.36`, 'tv'],
  [`${mozilla} (Linux; Tizen 2.3; SmartHub; TV) AppleWebKit/538.1`, 'tv'],
  [`${mozilla} (Web0S; Linux/SmartTV) AppleWebKit/537.36`, 'tv'],
  [`${mozilla} (Linux; Android 11; BRAVIA 4K VH2) AppleWebKit/537.36`, 'tv'],
  [`${mozilla} (Linux; Android 9; AFTMM) AppleWebKit/537.36 Silk/120`, 'tv'],
  [`${mozilla} (Linux; Android 12; Android TV) AppleWebKit/537.36`, 'tv'],
  ['AppleTV11,1/11.1', 'tv'],
  ['curl/8.9.1', undefined],
  ['', undefined],
  [undefined, undefined],
  [`${'x'.repeat(2000)} iPhone`, undefined],
] as const)('%s: %s', (userAgent, platform) => {
  expect(platformOf(userAgent)).toBe(platform)
})
