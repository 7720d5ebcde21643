import { Badge } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { asking, to } from '../../paths.ts'
import { Acts } from './acts.tsx'
import type { Cloud } from './cloud.ts'
import { NewCloud } from './new-cloud.tsx'
import { Types } from './types.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const columns: readonly Column<Cloud>[] = [
  {
    title: say('name'),
    cell: ({ title, kind }) => (
      <>
        {title}
        <span class="small">{say(kind)}</span>
      </>
    ),
  },
  {
    title: say('state'),
    cell: ({ is_active }) => (
      <Badge tone={is_active ? 'good' : 'dim'}>{say(is_active ? 'isActive' : 'isOff')}</Badge>
    ),
  },
  {
    title: say('how'),
    cell: ({ id, title, kind, has_token, node_id }) => {
      if (node_id !== null)
        return <a href={to('/console/nodes/:id', { id: node_id })}>{say('onNode', { id: `${node_id}` })}</a>
      if (kind === 'manual') return say('byHand')
      return (
        <>
          {say(has_token ? 'withToken' : 'noToken')}
          {may('listMachineTypes') && (
            <p>
              <a href={asking(to('/console/clouds'), { types: id })} aria-label={say('typesOf', { title })}>
                {say('types')}
              </a>
            </p>
          )}
        </>
      )
    },
  },
  { title: say('since'), cell: ({ created_at }) => date(created_at) },
]

/** Where customers' machines come from. */
const Clouds = () => {
  const { query } = useLocation()
  const clouds = useResource('clouds', () => api.listClouds({}))
  const isChanging = may('changeCloud') || may('deleteCloud')
  const acts: Column<Cloud> = {
    title: say('does'),
    isAlone: true,
    cell: (cloud) => <Acts cloud={cloud} changed={clouds.reload} />,
  }
  const chosen = clouds.data.value?.find(({ id }) => id === Number(query.types))
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        {may('createCloud') && <NewCloud made={clouds.reload} />}
      </div>
      <Shown of={clouds} lines={4}>
        {(rows) => {
          const one = rows.filter(({ id }) => id === Number(query.id))
          return rows.length === 0 ? (
            <Empty title={say('none')}>
              <p class="small">{say('noneHint')}</p>
            </Empty>
          ) : (
            <>
              <Table
                caption={say('title')}
                rows={one.length > 0 ? one : rows}
                keyOf={({ id }) => id}
                columns={isChanging ? [...columns, acts] : columns}
              />
              {one.length > 0 && rows.length > 1 && <a href={to('/console/clouds')}>{say('all')}</a>}
            </>
          )
        }}
      </Shown>
      {chosen && <Types key={chosen.id} cloud={chosen} />}
    </>
  )
}

export default Clouds
