import { expect, test } from 'vitest'
import { arrivalIn } from './arrival.ts'

const widget = { id: 7, auth_date: 1, hash: 'ab' }
const signed = Buffer.from(JSON.stringify(widget)).toString('base64url')

test.each([
  ['#sign_in_code=AB-CD', { kind: 'code', code: 'AB-CD' }],
  ['#sign_in_error=wrong_browser', { kind: 'failed', word: 'wrong_browser' }],
  [`#tgAuthResult=${signed}`, { kind: 'telegram', widget }],
  ['#tgAuthResult=ZmFsc2U', { kind: 'failed', word: 'denied' }],
  ['#some-gift', undefined],
  ['', undefined],
])('%s', (hash, expected) => expect(arrivalIn(hash)).toEqual(expected))
