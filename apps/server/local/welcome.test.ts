import { expect, test } from 'vitest'
import { welcome } from './welcome.ts'

const at = { url: 'http://127.0.0.1:8080', dataDir: '/srv/data', startSeconds: 2.34 }

test('the embedded default shows where it is, how to get in, and one line that buys', () => {
  const user = { id: 1, email: 'demo@example.com', subscription_key: 'sub' }
  const tokens = { api_key: 'slp_key', session_token: 'session', operator_token: 'operator' }
  const consoleLink = `${at.url}/console/sign-in#secret`
  const text = welcome({ ...at, credentials: { base_url: `${at.url}/v1`, ...tokens, user }, consoleLink })
  expect(text).toContain('Sallyport is ready: http://127.0.0.1:8080  (started in 2.3 s)')
  for (const shown of [
    `Cabinet            ${at.url}/\n`,
    `Console (once)     ${consoleLink}\n`,
    `${at.url}/docs`,
    `${at.url}/sub/sub`,
    '/srv/data/credentials.json',
  ])
    expect(text).toContain(shown)
  expect(text).toMatch(
    /curl -X POST http:\/\/127\.0\.0\.1:8080\/v1\/configs -H 'Authorization: Bearer slp_key'/,
  )
  expect(text).not.toContain('operator create')
})

test('production shows where operators sign in, and the command of this folder that makes the first', () => {
  const text = welcome({ ...at, credentials: undefined })
  expect(text).toContain(`${at.url}/console/sign-in`)
  expect(text).toContain('bin/sallyport.mjs setup')
  expect(text).not.toContain('curl')
})
