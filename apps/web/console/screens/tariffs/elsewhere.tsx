import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { may } from '../../frame/me.ts'
import { useCloudConfigurations, useOptions } from '../../kit/catalogue/products.ts'
import { Sale } from '../../kit/catalogue/sale.tsx'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { asking, to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const Options = () => (
  <Shown of={useOptions()} lines={2}>
    {(options) =>
      options.length === 0 ? (
        <a href={to('/console/options')}>{say('noOptions')}</a>
      ) : (
        <ul class="list">
          {options.map((option) => (
            <li key={option.id}>
              <a href={to('/console/options/:id', { id: option.id })}>{titleOf(option)}</a>
              <span>
                <Sale isActive={option.is_active} problem={option.problem} />
              </span>
            </li>
          ))}
        </ul>
      )
    }
  </Shown>
)

const Configurations = () => (
  <Shown of={useCloudConfigurations()} lines={2}>
    {(rows) =>
      rows.length === 0 ? (
        <a href={to('/console/cloud-configurations')}>{say('noConfigurations')}</a>
      ) : (
        <ul class="list">
          {rows.map((row) => (
            <li key={row.id}>
              <a href={asking(to('/console/cloud-configurations'), { id: row.id })}>{titleOf(row)}</a>
              <span>
                <Sale isActive={row.is_active} problem={null} />
              </span>
            </li>
          ))}
        </ul>
      )
    }
  </Shown>
)

/** What has prices of its own stands with them. */
export const Elsewhere = () => (
  <div class="columns">
    {may('listOptions') && (
      <Card title={say('options')}>
        <p class="small">{say('optionsText')}</p>
        <Options />
      </Card>
    )}
    {may('listCloudConfigurations') && (
      <Card title={say('cloudConfigurations')}>
        <p class="small">{say('cloudText')}</p>
        <Configurations />
      </Card>
    )}
  </div>
)
