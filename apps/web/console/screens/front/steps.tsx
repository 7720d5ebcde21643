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
  const isEmpty = methods.length === 0
  const steps = [
    ['pay', methods.some(({ is_available }) => is_available), to('/console/methods')],
    ['place', locations.some(({ is_active }) => is_active), to('/console/locations')],
    ['machine', nodes.some(({ is_online }) => is_online), to('/console/nodes')],
    ['server', servers.some(({ state }) => state === 'selling'), to('/console/nodes')],
    ['price', tariffs.length > 0, to('/console/tariffs')],
  ] as const
  return { isEmpty, steps }
}

/** The way to the first sale, until there is nothing left of it. */
export const Steps = () => {
  const read = useResource('steps', readSteps)
  const begin = async () => {
    await once('setUp', {}, (idempotencyKey) => api.setUp({ idempotencyKey }))
    tell(say('begun'))
    forgetRead('methods')
    await read.reload()
  }
  const found = read.data.value
  if (!found || found.steps.every(([, isDone]) => isDone)) return null
  return (
    <Card title={say('steps')}>
      <p>{say('stepsText')}</p>
      <ol class="list">
        {found.steps.map(([name, isDone, href]) => (
          <li key={name}>
            <div>
              <Badge tone={isDone ? 'good' : 'dim'}>{say(isDone ? 'done' : 'toDo')}</Badge>{' '}
              {isDone ? say(name) : <a href={href}>{say(name)}</a>}
            </div>
            {name === 'pay' && found.isEmpty && may('setUp') && (
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
