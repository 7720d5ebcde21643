import type { OperationName } from '@sallyport/contract/tables'
import { CookieBrowser } from '../support/people/cookie-browser.ts'
import type { Answer } from '../support/service.ts'
import type { Caller, Input } from './recorder.ts'
import { operationOf } from './recorder.ts'
import type { World } from './world.ts'

/** A person with a browser goes to an identity provider and comes back. */

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  body: JSON.parse(await response.text()),
})

/** One step at the service, written down; redirects are answers. */
const step = async (
  { life }: World,
  browser: CookieBrowser,
  at: { who: Caller; name: OperationName; url: string; input: Input },
): Promise<Answer> => {
  life.service.clock.advance(1)
  const { who, name, url, input } = at
  const operation = operationOf(name)
  const token = who.token(operation)
  const response = await browser.open(url, {
    method: operation.row.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  })
  const answer = await answerOf(response)
  life.note(who, name, input, answer)
  return answer
}

interface Trip {
  readonly provider: 'google' | 'vk'
  /** Whose account it is there: a name for Google, a number for VK. */
  readonly as: string
  readonly who: Caller
  /** Through the browser's address, as a link on a page does it. */
  readonly query?: Readonly<Record<string, string>>
  /** Or by a script. */
  readonly body?: object
}

const begin = (world: World, browser: CookieBrowser, { who, provider, query, body }: Trip) => {
  const base = `${world.life.service.running.url}/v1/auth/oauth/${provider}/start`
  const params = { provider }
  if (body) return step(world, browser, { who, name: 'startOauth', url: base, input: { params, body } })
  const url = `${base}?${new URLSearchParams(query)}`
  return step(world, browser, { who, name: 'openOauth', url, input: { params, query: query ?? {} } })
}

/** The answer to the browser that came back; also that to one who comes with the same address again. */
export const travel = async (world: World, trip: Trip): Promise<{ first: Answer; again: Answer }> => {
  const browser = new CookieBrowser()
  const { body } = await begin(world, browser, trip)
  const url =
    trip.provider === 'vk'
      ? world.oauth.vk.authorize(body.data.url, Number(trip.as))
      : await world.oauth.agree(browser, body.data.url, trip.as)
  const query = Object.fromEntries(new URL(url).searchParams)
  const { expires_in: _in, ext_id: _ext, type: _type, ...known } = query
  const back = {
    who: trip.who,
    name: 'finishOauth' as const,
    url,
    input: { params: { provider: trip.provider }, query: known },
  }
  return { first: await step(world, browser, back), again: await step(world, browser, back) }
}
