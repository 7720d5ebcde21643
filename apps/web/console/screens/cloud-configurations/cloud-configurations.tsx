import { Empty, Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useLocation } from '../../../lib/router.ts'
import { useCloudConfigurations, withRow } from '../../kit/catalogue/products.ts'
import { to } from '../../paths.ts'
import { Configurations } from './configurations.tsx'
import { One } from './one.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** How strong machines are sold, for what, and where each is had. The address says which of them is looked at. */
const CloudConfigurations = () => {
  const configurations = useCloudConfigurations()
  const { id } = useLocation().query
  return (
    <Shown of={configurations} lines={5} heading={say('title')}>
      {(rows) => {
        if (id === undefined) return <Configurations rows={rows} />
        const row = rows.find((one) => String(one.id) === id)
        if (row)
          return (
            <One key={row.id} row={row} onSaved={(changed) => configurations.set(withRow(rows, changed))} />
          )
        return (
          <>
            <h1>{say('title')}</h1>
            <Empty title={say('gone')}>
              <a class="button p" href={to('/console/cloud-configurations')}>
                {say('toAll')}
              </a>
            </Empty>
          </>
        )
      }}
    </Shown>
  )
}

export default CloudConfigurations
