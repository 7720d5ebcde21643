import { sayIn } from '../../../../lib/language.ts'
import type { CloudConfiguration } from '../../../kit/catalogue/products.ts'
import { type Changes, Compare } from '../../../kit/forms/edit.tsx'
import { words } from '../words.en.ts'
import { changedKeys, isSameOrder, keyOf, type Offer, offerOf, withChosen } from './offer.ts'

const say = sayIn(words)

const order = 'order'

interface CompareOffersProps {
  readonly before: readonly Offer[]
  readonly mine: readonly Offer[]
  readonly now: CloudConfiguration
  readonly nameOf: (offer: Offer) => string
  readonly store: (offers: readonly Offer[], version: number) => Promise<void>
}

/** Whether each is there, and with which site. */
const told = (offers: readonly Offer[], keys: readonly string[]): Changes =>
  Object.fromEntries(
    keys.map((key) => [key, offers.find((offer) => keyOf(offer) === key)?.reality_server_name]),
  )

/** Offer by offer, where somebody else was quicker. */
export const CompareOffers = ({ before, mine, now, nameOf, store }: CompareOffersProps) => {
  const theirs = now.offers.map(offerOf)
  const keys = changedKeys(before, mine)
  const hasMoved = !isSameOrder(before, mine)
  const all = [...theirs, ...mine, ...before]
  const nameAt = (key: string): string => {
    const offer = all.find((one) => keyOf(one) === key)
    return offer ? nameOf(offer) : key
  }
  return (
    <Compare
      fields={[
        ...keys.map((key) => ({ name: key, label: nameAt(key) })),
        ...(hasMoved ? [{ name: order, label: say('order') }] : []),
      ]}
      collision={{
        row: { ...told(theirs, keys), [order]: say('theirOrder'), version: now.version },
        mine: { ...told(mine, keys), ...(hasMoved && { [order]: say('myOrder') }) },
      }}
      send={(chosen) => {
        const names = Object.keys(chosen)
        const kept = names.filter((name) => name !== order)
        return store(withChosen(theirs, mine, kept, names.includes(order)), now.version)
      }}
    />
  )
}
