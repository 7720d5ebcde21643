import type { DetailedItem } from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { protocolName } from '../../owned/protocol-names.ts'

/** What a separate link holds of what the account has. */

type Item = Pick<DetailedItem, 'item_type' | 'item_reference_id' | 'is_valid' | 'server_config'>

export interface Held {
  /** Whether something of this protocol is in it; where that is not known, it may be. */
  carries(protocol: string): boolean
  hasConfig(id: number): boolean
  hasOptionConfig(optionId: number, id: number): boolean
}

/** The account's own link, or what a separate one holds was not read. */
export const everything: Held = {
  carries: () => true,
  hasConfig: () => true,
  hasOptionConfig: () => true,
}

export const heldIn = (items: readonly Item[]): Held => {
  const valid = items.filter(({ is_valid }) => is_valid)
  const isIn = (types: readonly Item['item_type'][], id: number): boolean =>
    valid.some(({ item_type, item_reference_id }) => types.includes(item_type) && item_reference_id === id)
  const names = valid.map(({ server_config }) => server_config && protocolName(server_config.protocol))
  return {
    carries: (protocol) => names.includes(null) || names.includes(protocolName(protocol)),
    hasConfig: (id) => isIn(['user_config'], id),
    hasOptionConfig: (optionId, id) =>
      isIn(['paid_option', 'paid_option_index'], optionId) || isIn(['paid_option_config'], id),
  }
}
