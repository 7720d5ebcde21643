import { expect, test } from 'vitest'
import { sbpBankName, sbpBanks } from './sbp-banks.ts'

test.each([
  ['100000000111', 'Сбербанк'],
  ['100000000004', 'Т-Банк'],
  ['100000000005', 'ВТБ'],
  ['100000000008', 'Альфа-Банк'],
  ['100000000001', 'Газпромбанк'],
  ['100000000007', 'Райффайзен Банк'],
  ['100000000273', 'Озон Банк'],
  ['100000000022', 'ЮMoney'],
  ['100000000999', undefined],
  ['', undefined],
  ['constructor', undefined],
])('%s is %s', (id, name) => {
  expect(sbpBankName(id)).toBe(name)
})

test('every bank has an identifier and a name of its own', () => {
  expect(sbpBanks.length).toBeGreaterThanOrEqual(30)
  for (const { id, name } of sbpBanks) {
    expect(id).toMatch(/^1[0-9]{11}$/)
    expect(name).toMatch(/[А-Яа-яЁё]/)
    expect(name).toBe(name.trim())
    expect(sbpBankName(id)).toBe(name)
  }
  expect(new Set(sbpBanks.map((bank) => bank.id)).size).toBe(sbpBanks.length)
  expect(new Set(sbpBanks.map((bank) => bank.name)).size).toBe(sbpBanks.length)
})

test('after the largest, banks come by the alphabet', () => {
  const rest = sbpBanks
    .slice(sbpBanks.findIndex((bank) => bank.name === 'Абсолют Банк'))
    .map((bank) => bank.name)
  expect(rest.length).toBeGreaterThan(40)
  expect(rest).toEqual(rest.toSorted((a, b) => a.localeCompare(b, 'ru')))
})
