import { Act } from '../../../kit/act.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What is missing before anything can be sold, each read from what it is about. */
const readSteps = async () => {
  const [methods, locations, nodes, servers, tariffs] = await Promise.all([
    api.listPaymentMethods({}),
    api.listAllLocations({}),
    api.listNodes({}),
    api.listServers({}),
    api.showConfigTariffs({}),
  ])
  return [
    ['pay', methods.some(({ is_available }) => is_available), to('/console/methods')],
    ['place', locations.some(({ is_active }) => is_active), to('/console/locations')],
    ['machine', nodes.some(({ is_online }) => is_online), to('/console/nodes')],
    ['server', servers.some(({ state }) => state === 'selling'), to('/console/nodes')],
    ['price', tariffs.length > 0, to('/console/tariffs')],
  ] as const
}

const isEmpty = async (): Promise<boolean> => (await api.listPaymentMethods({})).length === 0

/** The way to the first sale, until there is nothing left of it. */
export const Steps = () => {
  const steps = useResource('steps', readSteps)
  const empty = useResource('empty', isEmpty)
  const begin = async () => {
    await once('setUp', {}, (idempotencyKey) => api.setUp({ idempotencyKey }))
    tell(say('begun'))
    forgetRead('methods')
    await Promise.all([steps.reload(), empty.reload()])
  }
  const rows = steps.data.value ?? []
  if (rows.every(([, isDone]) => isDone)) return null
  return (
    <Card title={say('steps')}>
      <p>{say('stepsText')}</p>
      <ol class="list">
        {rows.map(([name, isDone, href]) => (
          <li key={name}>
            <div>
              <Badge tone={isDone ? 'good' : 'dim'}>{say(isDone ? 'done' : 'toDo')}</Badge>{' '}
              {isDone ? say(name) : <a href={href}>{say(name)}</a>}
            </div>
            {name === 'pay' && empty.data.value && may('setUp') && (
              <Act kind="p" run={begin}>
                {say('begin')}
              </Act>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
