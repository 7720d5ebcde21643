import { Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Routing } from './routing.tsx'
import { SettingsCard } from './settings.tsx'
import { TemplatePage } from './template.tsx'
import { Templates } from './templates.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const Everything = () => {
  const settings = useResource('delivery/settings', () => api.showDeliverySettings())
  return (
    <>
      <h1>{say('title')}</h1>
      <p class="small">{say('about')}</p>
      <Shown of={settings} lines={6}>
        {(data) => (
          <div class="columns">
            <SettingsCard settings={data} of={settings} />
            <Routing settings={data} of={settings} />
          </div>
        )}
      </Shown>
      {may('listDeliveryTemplates') && <Templates />}
    </>
  )
}

/** What apps are told besides servers, and what whole configurations are made of. */
const Delivery = () => {
  const { template } = useLocation().query
  return template === undefined ? <Everything /> : <TemplatePage key={template} kind={template} />
}

export default Delivery
