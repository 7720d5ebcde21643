import { expect, test, vi } from 'vitest'
import { heldTokens } from './tokens.ts'

const answer = (number: number, expiresAt: number) => ({
  session_token: `token ${number}`,
  expires_at: expiresAt,
  refresh_token: `refresh ${number}`,
  refresh_expires_at: 9_999_999,
  user_id: 1,
  is_new_account: false,
})

const build = () => {
  const clock = { now: 1000 }
  const slot: { value: string | undefined } = { value: undefined }
  const refresh = vi.fn(async () => answer(2, clock.now + 900))
  const signIn = vi.fn(async () => answer(3, clock.now + 900))
  return { clock, slot, refresh, signIn, tokens: heldTokens({ refresh, signIn, now: () => clock.now, slot }) }
}

test('nobody signed in has no token', async () => {
  expect(await build().tokens.token()).toBe(undefined)
})

test('a token is used until a minute before its end, and then renewed once for all who ask', async () => {
  const { clock, refresh, signIn, tokens } = build()
  tokens.hold(answer(1, 1900))
  clock.now = 1839
  expect(await tokens.token()).toBe('token 1')
  expect(refresh).not.toHaveBeenCalled()
  clock.now = 1841
  expect(await Promise.all([tokens.token(), tokens.token()])).toEqual(['token 2', 'token 2'])
  expect(refresh.mock.calls).toEqual([['refresh 1']])
  expect(signIn).not.toHaveBeenCalled()
})

test('where the session is over Telegram signs in anew', async () => {
  const { clock, refresh, tokens } = build()
  tokens.hold(answer(1, 1900))
  refresh.mockRejectedValue(new Error('over'))
  clock.now = 1890
  expect(await tokens.token()).toBe('token 3')
})

test('where neither works the old one is sent, and the next request tries again', async () => {
  const { clock, refresh, signIn, tokens } = build()
  tokens.hold(answer(1, 1900))
  refresh.mockRejectedValueOnce(new Error('away'))
  signIn.mockRejectedValueOnce(new Error('away'))
  clock.now = 1890
  expect(await tokens.token()).toBe('token 1')
  expect(await tokens.token()).toBe('token 2')
})

test('whoever has signed out has no token, and none is renewed', async () => {
  const { clock, slot, refresh, tokens } = build()
  tokens.hold(answer(1, 1900))
  slot.value = undefined
  clock.now = 1890
  expect(await tokens.token()).toBe(undefined)
  expect(refresh).not.toHaveBeenCalled()
})
