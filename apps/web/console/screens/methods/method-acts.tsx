import { Act } from '../../../kit/act.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import type { Resource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import type { Chosen } from '../../kit/chosen.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { isInside, type Method, type MethodProps, nameOf, putIn } from './method.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.changePaymentMethod>[0]['body']>

/** One that has a provider keeps one; there is no way to have none again. */
const fieldsOf = (row: Method): readonly FieldOf[] => [
  { name: 'name_ru', label: say('nameRu'), isRequired: true },
  { name: 'name_en', label: say('nameEn'), isRequired: true },
  {
    name: 'min_amount',
    label: say('minimum'),
    hint: say('minimumHint'),
    kind: 'number',
    isRequired: true,
  },
  ...(isInside(row)
    ? []
    : [
        {
          name: 'provider',
          label: say('provider'),
          hint: say(row.provider === null ? 'providerLater' : 'providerHint'),
          isNullable: true,
          isRequired: row.provider !== null,
        },
      ]),
]

interface ChangeProps {
  readonly chosen: Chosen<Method>
  readonly of: Resource<Method[]>
}

export const ChangeMethod = ({ chosen: { row, isOpen }, of }: ChangeProps) =>
  row ? (
    <Dialog isOpen={isOpen} title={say('changeTitle', { name: nameOf(row) })}>
      <Edit
        row={row}
        fields={fieldsOf(row)}
        send={(body) => api.changePaymentMethod({ params: { id: row.id }, body: body as Body })}
        onSaved={(saved) => {
          putIn(of, saved)
          isOpen.value = false
        }}
      />
    </Dialog>
  ) : null

const said = ({ is_active, is_available }: Method) => {
  if (!is_active) return 'nowOff'
  return is_available ? 'nowOn' : 'nowKept'
}

const Turn = ({ row, of }: MethodProps) => {
  const { id, is_active, version } = row
  const name = nameOf(row)
  const turn = async () => {
    const changed = await api.changePaymentMethod({
      params: { id },
      body: { is_active: !is_active, version },
    })
    putIn(of, changed)
    tell(say(said(changed), { name }))
  }
  return (
    <Act run={turn} label={say(is_active ? 'turnOffOf' : 'turnOnOf', { name })}>
      {say(is_active ? 'turnOff' : 'turnOn')}
    </Act>
  )
}

interface ActsProps extends MethodProps {
  readonly change: (row: Method) => void
}

export const MethodActs = ({ row, of, change }: ActsProps) => (
  <div class="acts">
    <button type="button" aria-label={say('changeOf', { name: nameOf(row) })} onClick={() => change(row)}>
      {say('change')}
    </button>
    <Turn row={row} of={of} />
  </div>
)
