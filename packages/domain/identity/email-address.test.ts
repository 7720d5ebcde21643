import { expect, test } from 'vitest'
import { hintOf } from './email-address.ts'

test.each([
  ['anna@example.com', 'a•••@e•••.com'],
  ['b@mail.example.co.uk', '•••@m•••.uk'],
  ['ab@x.io', '•••@x•••.io'],
  ['имя@почта.рф', 'и•••@п•••.рф'],
  ['🙂🙂🙂@example.com', '🙂•••@e•••.com'],
])('%s is hinted at as %s', (email, hint) => {
  expect(hintOf(email)).toBe(hint)
})
