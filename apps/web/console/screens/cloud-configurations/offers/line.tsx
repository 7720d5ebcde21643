import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../kit/dialog.tsx'
import { Badge } from '../../../../kit/look.tsx'
import { dateTime, number } from '../../../../lib/format.ts'
import { sayIn } from '../../../../lib/language.ts'
import type { Cloud } from '../off-sale.tsx'
import { words } from '../words.en.ts'
import { keyOf, type Offer, type OfferRow } from './offer.ts'
import { OfferForm } from './offer-form.tsx'

const say = sayIn(words)

/** What it is called in sentences. */
export const offerName = (offer: Offer, clouds: readonly Cloud[]): string => {
  const cloud = clouds.find(({ id }) => id === offer.cloud_id)
  return [cloud?.title ?? say('cloudNumber', { id: `${offer.cloud_id}` }), offer.region, offer.machine_type]
    .filter(Boolean)
    .join(' · ')
}

/** What the provider last said of it; of one that is not saved nothing was. */
const Stock = ({ row }: { readonly row: OfferRow | undefined }) => {
  if (!row) return <Badge tone="warn">{say('unsaved')}</Badge>
  const { is_in_stock, monthly_cost, cost_currency, looked_at } = row
  return (
    <>
      <Badge tone={is_in_stock ? 'good' : 'bad'}>{say(is_in_stock ? 'inStock' : 'outOfStock')}</Badge>{' '}
      {[
        monthly_cost !== null && say('costs', { cost: `${number(monthly_cost)} ${cost_currency ?? ''}` }),
        looked_at !== null && say('lookedAt', { at: dateTime(looked_at) }),
      ]
        .filter(Boolean)
        .join(' · ')}
    </>
  )
}

interface LineProps {
  readonly offer: Offer
  readonly saved: readonly OfferRow[]
  readonly clouds: readonly Cloud[]
  /** Absent where it may not be changed. */
  readonly change?: (offer: Offer) => void
}

export const Line = ({ offer, saved, clouds, change }: LineProps) => {
  const isOpen = useSignal(false)
  const name = offerName(offer, clouds)
  const isOff = clouds.find(({ id }) => id === offer.cloud_id)?.is_active === false
  return (
    <>
      <b>{name}</b>
      <p class="small">
        {[offer.image, offer.reality_server_name].filter(Boolean).join(' · ')}{' '}
        {change && (
          <button
            type="button"
            class="link"
            aria-label={say('changeOf', { name })}
            onClick={() => (isOpen.value = true)}
          >
            {say('change')}
          </button>
        )}
      </p>
      <p class="small">
        <Stock row={saved.find((row) => keyOf(row) === keyOf(offer))} />{' '}
        {isOff && <Badge tone="warn">{say('cloudOff')}</Badge>}
      </p>
      {change && (
        <Dialog isOpen={isOpen} title={name}>
          <OfferForm
            offer={offer}
            submit={say('take')}
            take={(changed) => {
              isOpen.value = false
              change(changed)
            }}
          />
        </Dialog>
      )}
    </>
  )
}
