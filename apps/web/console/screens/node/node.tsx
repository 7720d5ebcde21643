import { Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { usePolling } from '../../../lib/polling.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { About } from './about.tsx'
import { Acts } from './acts.tsx'
import { Load } from './load.tsx'
import { Servers } from './servers.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** A machine: what it should carry and carries, what sells there, and how busy it is. */
const NodePage = ({ params }: ScreenProps) => {
  const id = Number(params.id)
  const node = useResource(`node/${id}`, () => api.showNode({ params: { id } }))
  usePolling(node.reload, 15, false)
  return (
    <Shown of={node} lines={6} heading={say('numbered', { id: `${id}` })}>
      {(data) => (
        <>
          <div class="head">
            <h1>{data.name}</h1>
            <Acts node={data} of={node} />
          </div>
          <div class="columns">
            <div class="stack">
              <About node={data} of={node} />
            </div>
            <Servers node={data} of={node} />
          </div>
          {may('showNodeLoad') && <Load id={id} />}
        </>
      )}
    </Shown>
  )
}

export default NodePage
