import { describe, expect, test } from 'vitest'
import { paymentPage, unknownPaymentPage } from './page.ts'
import type { SandboxPayment } from './queries.ts'

const now = 1_800_000_000
const payment = (fields: Partial<SandboxPayment> = {}): SandboxPayment => ({
  payment_id: 'pay_1',
  amount: 1290,
  currency: 'RUB',
  title_ru: 'VPN на 30 дней',
  title_en: 'VPN for 30 days',
  return_url: 'https://vpn.example.com/',
  state: 'pending',
  pay_at: null,
  expires_at: now + 3600,
  event_id: null,
  event_due_at: null,
  created_at: now,
  ...fields,
})

/** What a person reads: tags and the style gone, every kind of space the same. */
const read = (page: string): string =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test.each([
  ['ru', 1290, 'RUB', '1 290 ₽ RUB'],
  ['en', 1290, 'RUB', '₽1,290 RUB'],
  ['ru', 345, 'TON', '3,45 TON'],
  ['en', 300, 'USDT', '3.00 USDT'],
  ['ru', 250, 'XTR', '250 ★ XTR'],
  ['en', 1999, 'USD', '$19.99 USD'],
] as const)('in %s %i of %s is written %s', (language, amount, currency, written) => {
  const text = read(paymentPage(payment({ amount, currency }), language, now))
  expect(text).toContain(` ${written} `)
})

describe('buttons and states', () => {
  const actions = (page: string) => [...page.matchAll(/name="action" value="(\w+)"/g)].map(([, name]) => name)
  const refresh = (page: string) => /http-equiv="refresh" content="(\d+)"/.exec(page)?.[1]

  test('a fresh payment offers three ways, says how long, and looks again at the end', () => {
    const page = paymentPage(payment(), 'ru', now)
    expect(actions(page)).toEqual(['pay', 'later', 'decline'])
    expect(read(page)).toContain('Осталось 60 мин')
    expect(refresh(page)).toBe('3600')
    expect(read(paymentPage(payment(), 'en', now + 3541))).toContain('Time left 59 s')
  })

  test.each([
    ['a put off one', { state: 'later', pay_at: now + 7 }, 'in about 7 s', ['pay', 'decline'], '3'],
    [
      'one put off past its end',
      { state: 'later', pay_at: now + 7, expires_at: now },
      'in about 7 s',
      [],
      '3',
    ],
    ['one whose moment came', { state: 'later', pay_at: now }, 'Paid', [], undefined],
    ['a paid one', { state: 'succeeded' }, 'Paid', [], undefined],
    ['a paid one, later on', { state: 'succeeded', expires_at: now }, 'Paid', [], undefined],
    ['a declined one', { state: 'declined' }, 'declined', [], undefined],
    ['a refunded one', { state: 'refunded' }, 'Refunded', [], undefined],
    ['an expired one', { expires_at: now }, 'Time is up', [], undefined],
  ] as const)('%s', (_name, fields, words, offered, refreshed) => {
    const page = paymentPage(payment(fields), 'en', now)
    expect(read(page)).toContain(words)
    expect(actions(page)).toEqual(offered)
    expect(refresh(page)).toBe(refreshed)
    expect(page).toContain('href="https://vpn.example.com/"')
  })
})

test('whatever a title holds stays text, and only web addresses become links', () => {
  const evil = `"><script>alert('x')</script>&amp;`
  const page = paymentPage(payment({ title_ru: evil, payment_id: evil }), 'ru', now)
  expect(page).not.toContain('<script')
  expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;')
  for (const return_url of ['javascript:alert(1)', 'data:text/html,x', '', '/here'])
    expect(paymentPage(payment({ return_url }), 'ru', now)).not.toContain('class="back')
  const quoted = paymentPage(payment({ return_url: 'https://x.example/?a="onclick=b' }), 'ru', now)
  expect(quoted).toContain('href="https://x.example/?a=&quot;onclick=b"')
})

test('both languages lead to each other, from the unknown payment too', () => {
  expect(unknownPaymentPage('ru')).toContain('<a href="?lang=en" lang="en" hreflang="en">English</a>')
  expect(unknownPaymentPage('en')).toContain('<a href="?lang=ru" lang="ru" hreflang="ru">Русский</a>')
})
