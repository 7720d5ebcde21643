import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { run } from './run.ts'

/** Command lines against a service that says what it was asked. */

interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

let asked: Asked[] = []
let answer: (asked: Asked) => { status: number; type?: string; body: string } | 'hang up'
const ok = (data: unknown) => ({ status: 200, body: JSON.stringify({ status: true, statusCode: 200, data }) })

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const one = {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: text && JSON.parse(text),
  }
  asked.push(one)
  const given = answer(one)
  if (given === 'hang up') return request.socket.destroy()
  response.writeHead(given.status, { 'content-type': given.type ?? 'application/json' }).end(given.body)
})

let folder: string
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-cli-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  asked = []
  answer = () => ok([])
})
afterEach(() => rmSync(join(folder, 'sallyport'), { recursive: true, force: true }))

const type = async (line: readonly string[], env: Record<string, string> = {}) => {
  let [written, said] = ['', '']
  const code = await run(
    {
      env: { XDG_CONFIG_HOME: folder, SALLYPORT_URL: url, SALLYPORT_TOKEN: 'slo_test', ...env },
      width: 100,
      isInteractive: false,
      write: (text) => {
        written += text
      },
      say: (text) => {
        said += text
      },
      writeBytes: async (chunk) => {
        written += Buffer.from(chunk).toString()
      },
      wait: async () => undefined,
    },
    line,
  )
  return { code, written, said }
}

describe('a command', () => {
  test('is a request with the token', async () => {
    answer = () => ok([{ id: 2, key: 'sbp', currency: 'RUB' }])
    const { code, written } = await type(['method', 'list'])
    expect([code, asked[0]?.method, asked[0]?.url]).toEqual([0, 'GET', '/operator/v1/payment-methods'])
    expect(asked[0]?.headers.authorization).toBe('Bearer slo_test')
    expect(written).toMatch(/^id {2}key/)
  })

  test('puts its words into the path, and flags where the row has them', async () => {
    const line = ['user', 'balance', '7', '--account', 'wallet', '--amount', '-50', '--reason', 'twice, paid']
    await type(line)
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/operator/v1/users/7/balance',
      body: { account: 'wallet', amount: -50, reason: 'twice, paid' },
    })
    await type(['alert', 'list', '--no-is-open', '--limit=5'])
    expect(asked[1]?.url).toBe('/operator/v1/alerts?limit=5&is_open=false')
  })

  test('reads lists, JSON, null, files, and lays flags over a whole body', async () => {
    const file = join(folder, 'body.json')
    const { writeFileSync } = await import('node:fs')
    writeFileSync(file, JSON.stringify({ title_ru: 'из файла', title_en: 'of the file' }))
    const tariffs = [{ days: 30, prices: [{ payment_method_id: 1, price: 200 }] }]
    await type([
      'option',
      'change',
      '3',
      '--data',
      `@${file}`,
      '--title-en',
      'typed',
      '--server-ids',
      '1,2',
      '--tariffs',
      JSON.stringify(tariffs),
    ])
    expect(asked[0]?.body).toEqual({ title_ru: 'из файла', title_en: 'typed', server_ids: [1, 2], tariffs })
    await type(['settings', 'change', '--two-person-amount', 'null'])
    expect(asked[1]?.body).toEqual({ two_person_amount: null })
  })

  test('answers as JSON, or as CSV, when asked to', async () => {
    answer = ({ headers }) =>
      headers.accept === 'text/csv'
        ? { status: 200, type: 'text/csv', body: '\uFEFFid\r\n1\r\n' }
        : ok([{ id: 1 }])
    expect(JSON.parse((await type(['audit', 'list', '--json'])).written)).toEqual([{ id: 1 }])
    expect((await type(['audit', 'list', '--csv', '--subject', 'user:7'])).written).toBe('\uFEFFid\r\n1\r\n')
    expect(asked[1]?.url).toBe('/operator/v1/audit?subject=user%3A7')
    expect((await type(['rate', 'list', '--csv'])).code).toBe(2)
  })

  test('that makes something is asked again with the same key when the answer is lost', async () => {
    let count = 0
    answer = () => (count++ === 0 ? 'hang up' : ok({ id: 1 }))
    expect((await type(['node', 'create', '--name', 'ams-1', '--address', '203.0.113.1'])).code).toBe(0)
    expect(asked).toHaveLength(2)
    expect(asked[0]?.headers['idempotency-key']).toBe(asked[1]?.headers['idempotency-key'])
  })
})

describe('what goes wrong is one line', () => {
  const refused = { status: false, statusCode: 409, errorCode: 6, message: 'CONFLICT' }

  test('the service refuses', async () => {
    answer = () => ({
      status: 409,
      body: JSON.stringify({ ...refused, details: [{ path: 'id', problem: 'is paid already' }] }),
    })
    const { code, written, said } = await type(['withdrawal', 'approve', '3'])
    expect([code, written, said]).toEqual([1, '', 'sallyport: 409 CONFLICT: id is paid already\n'])
  })

  test('the row that a change collided with is shown as it is', async () => {
    const data = { id: 3, title_en: 'Holland', version: 5 }
    answer = () => ({ status: 409, body: JSON.stringify({ ...refused, data }) })
    const { code, said } = await type(['location', 'change', '3', '--version', '4', '--title-en', 'x'])
    expect([code, said]).toEqual([1, expect.stringMatching(/^sallyport: 409 CONFLICT\nIt is now:\nid +3\n/)])
  })

  test('something else is there', async () => {
    answer = () => ({ status: 404, type: 'text/html', body: '<title>Not here</title>' })
    expect((await type(['me'])).said).toContain('is the address that of the service?')
  })

  test('nobody is there', async () => {
    const { code, said } = await type(['node', 'list'], { SALLYPORT_URL: 'http://127.0.0.1:9' })
    expect([code, said.trim().split('\n')]).toEqual([1, [expect.stringContaining('does not answer')]])
  })

  test.each<[readonly string[], RegExp]>([
    [['usr', 'list'], /“usr” is no command; did you mean “user”\?/],
    [['strat'], /“strat” is no command; did you mean “start”\?/],
    [['user', 'lst'], /“user lst” is no command; did you mean “user list”\?/],
    [['me', '--jsno'], /--jsno is no flag of this command; did you mean --json\?/],
    [['user', 'list', '--serach', 'x'], /--serach is no flag of this command; did you mean --search\?/],
    [['user', 'list', '--limit', 'many'], /--limit takes a whole number, not “many”/],
    [['user', 'list', '--limit'], /--limit needs a value/],
    [['user', 'block'], /ID is missing/],
    [['user', 'block', '7'], /--is-blocked is missing/],
    [['user', 'block', '7', '8', '--is-blocked'], /“8” is one word too many/],
    [['withdrawal', 'list', '--status', 'gone'], /--status is one of pending, paid, rejected, not “gone”/],
    [['option', 'change', '1', '--tariffs', 'x'], /--tariffs takes JSON/],
    [['option', 'change', '1', '--tariffs', '@/nowhere'], /\/nowhere cannot be read/],
    [['user'], /one more word is needed/],
    [['--vrsion'], /--vrsion is no command/],
    [['logout', 'now'], /“now” is one word too many/],
    [['completion', 'tcsh'], /Name a shell/],
  ])('%j', async (line, problem) => {
    const { code, said } = await type(line)
    expect(code).toBe(2)
    expect(said).toMatch(problem)
    expect(said.trim().split('\n')).toHaveLength(1)
    expect(asked).toEqual([])
  })

  test('no address and no token', async () => {
    const { code, said } = await type(['node', 'list'], { SALLYPORT_URL: '', SALLYPORT_TOKEN: '' })
    expect([code, said]).toEqual([2, expect.stringContaining('sallyport login')])
  })
})

test('logging in keeps address and token for the next commands, readable by nobody else', async () => {
  const none = { SALLYPORT_URL: '', SALLYPORT_TOKEN: '' }
  const { code, written } = await type(['login', '--url', `${url}/operator/v1/`, '--token', 'slo_kept'], none)
  expect([code, written]).toEqual([0, expect.stringContaining(url)])
  const file = join(folder, 'sallyport', 'login.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url, token: 'slo_kept' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await type(['node', 'list'], none)
  expect(asked.at(-1)?.headers.authorization).toBe('Bearer slo_kept')
  await type(['logout'], none)
  expect((await type(['node', 'list'], none)).code).toBe(2)
})

test('a wrong token is not kept', async () => {
  answer = () => ({
    status: 401,
    body: JSON.stringify({ status: false, statusCode: 401, errorCode: 2, message: 'UNAUTHORIZED' }),
  })
  const { code, said } = await type(['login', '--url', url, '--token', 'wrong'], {
    SALLYPORT_URL: '',
    SALLYPORT_TOKEN: '',
  })
  expect([code, said.trim().split('\n')]).toEqual([
    1,
    [expect.stringContaining('401 UNAUTHORIZED: the token is')],
  ])
  expect((await type(['node', 'list'], { SALLYPORT_URL: '', SALLYPORT_TOKEN: '' })).code).toBe(2)
})

test('help is had in every way that people ask for it, and does nothing else', async () => {
  const helps = await Promise.all(
    [
      ['user', 'list', '--help'],
      ['help', 'user', 'list'],
    ].map(async (line) => (await type(line)).written),
  )
  expect(helps[0]).toBe(helps[1])
  expect((await type(['help', 'user'])).written).toBe((await type(['user', '--help'])).written)
  for (const word of ['login', 'logout', 'completion']) {
    expect(await type([word, '--help'])).toMatchObject({
      code: 0,
      written: expect.stringContaining('Example'),
    })
  }
  expect((await type(['--version'])).written).toMatch(/^sallyport \d+\.\d+\.\d+\n$/)
  expect(asked).toEqual([])
})

test.each(['bash', 'zsh', 'fish'])('completion for %s', async (shell) => {
  const { code, written } = await type(['completion', shell])
  expect(code).toBe(0)
  expect(written).toContain('pricing-rule')
})
