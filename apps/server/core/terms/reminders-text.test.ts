import { describe, expect, test } from 'vitest'
import { cloudTerms } from '../../features/cloud-servers/product.ts'
import { configTerms } from '../../features/configs/product.ts'
import { reminderText } from './reminders-text.ts'
import { inQuotes } from './term-product.ts'

const name = inQuotes('Нидерланды, vless', 'Netherlands, vless')
const titled = inQuotes('Дача', 'Дача')
const textOf = (term: typeof config, long = name) => reminderText(configTerms, term, { long, short: long })

const config = {
  auto_renewal: false,
  expires_at: Date.parse('2027-02-28T21:05:59Z') / 1000,
  timezone_offset: 180,
}

describe('the text of a reminder', () => {
  test('names the place and protocol, the end, and what to do', () => {
    expect(textOf(config)).toEqual({
      ru: 'Подключение «Нидерланды, vless» оплачено до 01.03.2027 00:05 (UTC+3). Продлите его до этого времени, чтобы связь не прервалась; вернуть его можно ещё 14\u00a0дней после.',
      en: 'The connection “Netherlands, vless” is paid for until 01.03.2027 00:05 (UTC+3). Renew it before then to stay connected; it can be brought back for 14\u00a0days after.',
    })
  })

  test('names the title, when there is one, and the balance, when it renews by itself', () => {
    expect(textOf({ ...config, auto_renewal: true }, titled)).toEqual({
      ru: 'Подключение «Дача» оплачено до 01.03.2027 00:05 (UTC+3). Оно продлится автоматически с баланса: проверьте, что денег на нём достаточно.',
      en: 'The connection “Дача” is paid for until 01.03.2027 00:05 (UTC+3). It will be renewed automatically from the balance: see that there is enough on it.',
    })
  })

  test('of a machine, which is called what it is once, and can be brought back for three days', () => {
    const names = { short: { ru: '№ 7', en: '7' }, long: { ru: '№ 7', en: '7' } }
    expect(reminderText(cloudTerms, config, names)).toEqual({
      ru: 'Ваш сервер № 7 оплачен до 01.03.2027 00:05 (UTC+3). Продлите его до этого времени, чтобы связь не прервалась; вернуть его можно ещё 3\u00a0дня после.',
      en: 'Your server 7 is paid for until 01.03.2027 00:05 (UTC+3). Renew it before then to stay connected; it can be brought back for 3\u00a0days after.',
    })
  })

  test.each([
    [0, '28.02.2027 21:05 (UTC+0)'],
    [330, '01.03.2027 02:35 (UTC+5:30)'],
    [-210, '28.02.2027 17:35 (UTC-3:30)'],
    [5, '28.02.2027 21:10 (UTC+0:05)'],
    [-720, '28.02.2027 09:05 (UTC-12)'],
    [840, '01.03.2027 11:05 (UTC+14)'],
  ])('shows the end as clocks %i minutes from Greenwich do', (timezone_offset, shown) => {
    expect(textOf({ ...config, timezone_offset }).ru).toContain(`до ${shown}.`)
  })
})
