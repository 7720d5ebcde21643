import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Confirmed, Dialog } from '../../../kit/dialog.tsx'
import { Told } from '../../../kit/problem.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import { type Dependants, dependantsOf } from './dependants.ts'
import { changedFields } from './fields.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Location = Awaited<ReturnType<typeof api.listAllLocations>>[number]
type Body = NonNullable<Parameters<typeof api.changeLocation>[0]['body']>

interface LocationProps {
  readonly location: Location
  readonly reload: () => Promise<void>
}

const Change = ({ location, reload }: LocationProps) => {
  const isOpen = useSignal(false)
  const { id } = location
  const saved = () => {
    isOpen.value = false
    void reload()
  }
  return (
    <>
      <button
        type="button"
        aria-label={say('changeOf', { name: titleOf(location) })}
        onClick={() => (isOpen.value = true)}
      >
        {say('change')}
      </button>
      <Dialog isOpen={isOpen} title={titleOf(location)}>
        <Edit
          row={location}
          fields={changedFields}
          send={(body) => api.changeLocation({ params: { id }, body: body as Body })}
          onSaved={saved}
        />
      </Dialog>
    </>
  )
}

const kinds = {
  server: 'servers_n',
  configuration: 'configurations_n',
  'cloud server': 'machines_n',
  'cloud offer': 'offers_n',
} as const

/** Who and what would be left without their place. */
const explained = ({ customers, contents }: Dependants): string => {
  const what = contents.map(([kind, n]) => say(kinds[kind], { n })).join(', ')
  return customers > 0 ? say('notYetCustomers', { n: customers, what }) : say('notYet', { what })
}

const Remove = ({ location, reload }: LocationProps) => {
  const name = titleOf(location)
  const remove = async () => {
    try {
      await api.deleteLocation({ params: { id: location.id } })
    } catch (error) {
      const dependants = dependantsOf(error)
      throw dependants ? new Told(explained(dependants)) : error
    }
    tell(say('removed', { name }))
    await reload()
  }
  return (
    <Confirmed title={say('removeTitle', { name })} yes={say('remove')} run={remove}>
      <p>{say('removeText')}</p>
    </Confirmed>
  )
}

export const LocationActs = ({ location, reload }: LocationProps) => {
  const { id, is_active, version } = location
  const name = titleOf(location)
  const turn = async () => {
    await api.changeLocation({ params: { id }, body: { is_active: !is_active, version } })
    tell(say(is_active ? 'offNow' : 'onNow', { name }))
    await reload()
  }
  return (
    <div class="acts">
      {may('changeLocation') && (
        <>
          <Change location={location} reload={reload} />
          <Act run={turn} label={say(is_active ? 'turnOffOf' : 'turnOnOf', { name })}>
            {say(is_active ? 'turnOff' : 'turnOn')}
          </Act>
        </>
      )}
      {may('deleteLocation') && <Remove location={location} reload={reload} />}
    </div>
  )
}
