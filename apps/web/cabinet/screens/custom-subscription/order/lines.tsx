import { Badge } from '../../../../kit/look.tsx'
import { Ordered } from '../../../../kit/order/ordered.tsx'
import { protocolName } from '../../../owned/protocol-names.ts'
import { to } from '../../../paths.ts'
import { itemKey } from '../../../subscription-items/items.ts'
import { say } from '../say.ts'
import type { Entry } from './entry.ts'

const kinds = {
  user_config: 'kindConfig',
  cloud_server_config: 'kindCloud',
  paid_option: 'kindOption',
  paid_option_index: 'kindOptionPart',
  paid_option_config: 'kindOptionPart',
} as const

const nameOf = ({ resolved_title }: Entry): string => resolved_title ?? say('goneName')

/** Where it is renewed. */
const homeOf = ({ item_type, item_reference_id: id }: Entry): string | undefined => {
  if (item_type === 'user_config') return to('/configs/:id', { id })
  return item_type === 'paid_option' || item_type === 'paid_option_index'
    ? to('/options/:id', { id })
    : undefined
}

const Invalid = ({ entry }: { readonly entry: Entry }) => {
  const home = homeOf(entry)
  if (entry.resolved_title === null)
    return (
      <>
        <Badge tone="bad">{say('gone')}</Badge>
        <p class="small">{say('goneText')}</p>
      </>
    )
  return (
    <>
      <Badge tone="warn">{say('ended')}</Badge>
      <p class="small">
        {say('endedText')} {home && <a href={home}>{say('toRenew')}</a>}
      </p>
    </>
  )
}

const What = ({ entry }: { readonly entry: Entry }) => {
  const about = [
    say(kinds[entry.item_type]),
    entry.server_config ? protocolName(entry.server_config.protocol) : '',
  ]
  return (
    <>
      <b>{nameOf(entry)}</b>
      <p class="small">{about.filter(Boolean).join(' · ')}</p>
      {!entry.is_valid && <Invalid entry={entry} />}
    </>
  )
}

interface LinesProps {
  readonly entries: readonly Entry[]
  readonly change: (entries: readonly Entry[]) => void
}

/** The items in their order. */
export const Lines = (props: LinesProps) => (
  <Ordered {...props} keyOf={itemKey} nameOf={nameOf}>
    {(entry) => <What entry={entry} />}
  </Ordered>
)
