import { expect, test } from 'vitest'
import { clientOf } from './client.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const ios = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'

test.each([
  [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome, Android'],
  [`${windows} ${webkit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome, Windows'],
  [`${windows} ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge, Windows'],
  [`${windows} ${webkit} Chrome/138.0.0.0 YaBrowser/25.8.0.0 Safari/537.36`, 'Yandex Browser, Windows'],
  [`${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'Opera, Windows'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox, Windows'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', 'Firefox, Android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox, Linux'],
  [`${mac} ${ios} Version/18.6 Safari/605.1.15`, 'Safari, macOS'],
  [`${iphone} ${ios} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari, iPhone'],
  [`${iphone} ${ios} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`, 'Chrome, iPhone'],
  [`${iphone} ${ios} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`, 'Firefox, iPhone'],
  [`${iphone} ${ios} Mobile/15E148`, 'iPhone'],
  ['Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) Version/17.7 Mobile Safari/604.1', 'Safari, iPad'],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S921B) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet, Android',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36 Telegram-Android/12.0.1 (Xiaomi; Android 14; SDK 34; HIGH)`,
    'Telegram, Android',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome, ChromeOS'],
  ['curl/8.14.1', 'curl'],
  ['node', null],
  ['<script>alert(1)</script>', null],
  ['', null],
  [undefined, null],
  [`${'x'.repeat(5000)} Firefox/143.0`, null],
])('%s is %s', (userAgent, client) => expect(clientOf(userAgent)).toBe(client))
