import { describe, expect, test } from 'vitest'
import { allRead, cleared, nothing, partsOf, unreadIn, withNew } from './list.ts'

const came = (...ids: readonly number[]) => ids.map((id) => ({ id, content: `text ${id}` }))

describe('what is kept', () => {
  test('the newest first, each once', () => {
    const one = withNew(nothing, came(1, 2), 10)
    const two = withNew(one, came(2, 3), 20)
    expect(two.items).toEqual([
      { id: 3, text: 'text 3', at: 20 },
      { id: 2, text: 'text 2', at: 10 },
      { id: 1, text: 'text 1', at: 10 },
    ])
  })

  test('a hundred of them', () => {
    const ids = Array.from({ length: 120 }, (_, at) => at + 1)
    const { items } = withNew(nothing, came(...ids), 1)
    expect(items).toHaveLength(100)
    expect(items[0]?.id).toBe(120)
  })

  test('new until they are read, and after a clearing only what comes then', () => {
    const kept = withNew(nothing, came(1, 2), 1)
    expect(unreadIn(kept)).toBe(2)
    expect(unreadIn(allRead(kept))).toBe(0)
    expect(unreadIn(withNew(allRead(kept), came(3), 2))).toBe(1)
    expect(unreadIn(withNew(cleared(kept), came(3), 2))).toBe(1)
    expect(cleared(kept).items).toEqual([])
    expect(allRead(nothing)).toEqual(nothing)
  })
})

describe('the text', () => {
  test('is plain but for addresses of the web', () => {
    expect(partsOf('Пополните: https://vpn.example.com/balance?a=1. Спасибо')).toEqual([
      { text: 'Пополните: ' },
      { text: 'https://vpn.example.com/balance?a=1', href: 'https://vpn.example.com/balance?a=1' },
      { text: '. Спасибо' },
    ])
  })
  test('nothing else can be pressed', () => {
    const hostile = '<a href="javascript:alert(1)">x</a> javascript:alert(1) data:text/html,x'
    expect(partsOf(hostile)).toEqual([{ text: hostile }])
    expect(partsOf('')).toEqual([])
  })
})
