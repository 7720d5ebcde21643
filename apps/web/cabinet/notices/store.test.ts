import { beforeEach, expect, test, vi } from 'vitest'

/** A browser with one tab, and a service that answers when it is told to. */

const notes: Record<string, string> = Object.create({
  getItem: (name: string) => notes[name] ?? null,
  setItem: (name: string, value: string) => {
    notes[name] = value
  },
  removeItem: (name: string) => {
    delete notes[name]
  },
})
vi.stubGlobal('BroadcastChannel', undefined)

let answer = (_came: readonly { id: number; content: string }[]): void => undefined
vi.mock('../../lib/api.ts', () => ({
  api: {
    takeNotifications: () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  },
}))

const { notices, readNotices, takeNotices } = await import('./store.ts')
const { signedIn, signedOut } = await import('../../lib/session.ts')

const signIn = (user_id: number): void => signedIn({ user_id } as Parameters<typeof signedIn>[0])
const keptNotices = () => notes['sallyport:notices']

beforeEach(() => {
  vi.stubGlobal('localStorage', notes)
  signedOut()
  signIn(1)
})

test('what came is kept', async () => {
  const taken = takeNotices()
  answer([{ id: 5, content: 'of the first' }])
  await taken
  expect(notices.value.items.map(({ text }) => text)).toEqual(['of the first'])
  expect(keptNotices()).toContain('of the first')
})

test('what was asked for before signing out is not left behind', async () => {
  const taken = takeNotices()
  signedOut()
  answer([{ id: 5, content: 'of the first' }])
  await taken
  expect([notices.value.items, keptNotices()]).toEqual([[], undefined])
})

test('nor found by whoever signs in next', async () => {
  const taken = takeNotices()
  signedOut()
  signIn(2)
  answer([{ id: 5, content: 'of the first' }])
  await taken
  await readNotices()
  expect(notices.value.items).toEqual([])
})

test('nor kept when another tab signed out meanwhile', async () => {
  const taken = takeNotices()
  for (const name of Object.keys(notes)) delete notes[name]
  answer([{ id: 5, content: 'of the first' }])
  await taken
  expect(keptNotices()).toBeUndefined()
})
