import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Dialog } from '../../../../kit/dialog.tsx'
import { Form, useProblems } from '../../../../kit/form.tsx'
import { Card } from '../../../../kit/look.tsx'
import { Ordered } from '../../../../kit/order/ordered.tsx'
import { langOf } from '../../../../kit/problem.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { sayIn } from '../../../../lib/language.ts'
import { forgetRead } from '../../../../lib/resource.ts'
import { api } from '../../../api.ts'
import { may } from '../../../frame/me.ts'
import type { CloudConfiguration } from '../../../kit/catalogue/products.ts'
import { rowIn } from '../../../kit/forms/versions.ts'
import { useLocations } from '../../../kit/places.ts'
import { useClouds } from '../off-sale.tsx'
import type { OneProps } from '../one-props.ts'
import { words } from '../words.en.ts'
import { CompareOffers } from './compare.tsx'
import { Line, offerName } from './line.tsx'
import {
  changedKeys,
  isSameOrder,
  keyOf,
  locationsOf,
  type Offer,
  offerOf,
  sentOffer,
  withLocation,
} from './offer.ts'
import { OfferForm } from './offer-form.tsx'

const say = sayIn(words)

interface RefusedProps {
  /** What was sent last. */
  readonly sent: { readonly current: readonly Offer[] }
  readonly nameOf: (offer: Offer) => string
}

/** What the service said of single offers, which it names by where they stood. */
const Refused = ({ sent, nameOf }: RefusedProps) => (
  <>
    {useProblems('offers').map(({ path, problem }) => {
      const offer = sent.current[Number(/^offers\.(\d+)/.exec(path)?.[1])]
      return (
        <p key={path} class="bad small" role="alert">
          {offer && `${nameOf(offer)}: `}
          <span lang={langOf(problem)}>{problem}</span>
        </p>
      )
    })}
  </>
)

const Add = ({ add }: { readonly add: (offer: Offer) => void }) => {
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('addOffer')}
      </button>
      <Dialog isOpen={isOpen} title={say('addOffer')}>
        <OfferForm
          submit={say('take')}
          take={(offer) => {
            isOpen.value = false
            add(offer)
          }}
        />
      </Dialog>
    </>
  )
}

const useOffers = ({ row, onSaved }: OneProps) => {
  const offers = useSignal<readonly Offer[]>(row.offers.map(offerOf))
  const now = useSignal<CloudConfiguration | undefined>(undefined)
  const sent = useRef<readonly Offer[]>([])
  const store = async (wanted: readonly Offer[], version: number): Promise<void> => {
    sent.current = wanted
    try {
      const body = { offers: wanted.map(sentOffer), version }
      const saved = await api.changeCloudConfiguration({ params: { id: row.id }, body })
      now.value = undefined
      offers.value = saved.offers.map(offerOf)
      tell(say('offersSaved'))
      forgetRead('locations')
      onSaved(saved)
    } catch (error) {
      const found = rowIn(error) as CloudConfiguration | undefined
      if (!found) throw error
      now.value = found
    }
  }
  return { offers, now, sent, store }
}

const Listed = (props: OneProps) => {
  const { row } = props
  const { offers, now, sent, store } = useOffers(props)
  const clouds = useClouds().data.value ?? []
  const { nameOf: placeOf } = useLocations()
  const nameOf = (offer: Offer): string => offerName(offer, clouds)
  const mayChange = may('changeCloudConfiguration')
  const before = row.offers.map(offerOf)
  if (now.value)
    return (
      <CompareOffers
        before={before}
        mine={offers.value}
        now={now.value}
        nameOf={(offer) => `${placeOf(offer.location_id)}: ${nameOf(offer)}`}
        store={store}
      />
    )
  const isChanged = changedKeys(before, offers.value).length > 0 || !isSameOrder(before, offers.value)
  const change = (was: Offer, is: Offer) => {
    offers.value = offers.value.map((one) => (keyOf(one) === keyOf(was) ? is : one))
  }
  return (
    <>
      {offers.value.length === 0 && <p class="small">{say('noOffersYet')}</p>}
      <div class="columns">
        {locationsOf(offers.value).map((location) => {
          const here = offers.value.filter(({ location_id }) => location_id === location)
          const line = (offer: Offer) => (
            <Line
              offer={offer}
              saved={row.offers}
              clouds={clouds}
              {...(mayChange && { change: (is: Offer) => change(offer, is) })}
            />
          )
          return (
            <div key={location}>
              <h3>{placeOf(location)}</h3>
              {mayChange ? (
                <Ordered
                  entries={here}
                  keyOf={keyOf}
                  nameOf={nameOf}
                  change={(ordered) => (offers.value = withLocation(offers.value, location, ordered))}
                  least={0}
                >
                  {line}
                </Ordered>
              ) : (
                <ol class="list">
                  {here.map((offer) => (
                    <li key={keyOf(offer)}>
                      <div>{line(offer)}</div>
                    </li>
                  ))}
                </ol>
              )}
            </div>
          )
        })}
      </div>
      {mayChange && (
        <div class="acts">
          <Add add={(offer) => (offers.value = [...offers.value, offer])} />
        </div>
      )}
      {isChanged && (
        <Form send={() => store(offers.value, row.version)} submit={say('saveOffers')}>
          <Refused sent={sent} nameOf={nameOf} />
          <p class="notice" role="status">
            {say('unsavedText')}
          </p>
          <div class="acts">
            <button type="button" onClick={() => (offers.value = before)}>
              {say('undo')}
            </button>
          </div>
        </Form>
      )}
    </>
  )
}

/** Where each is had, and in which order that is tried. */
export const Offers = (props: OneProps) => (
  <Card title={say('offers')}>
    <p class="small">{say('offersText')}</p>
    <Listed key={JSON.stringify(props.row.offers.map(offerOf))} {...props} />
  </Card>
)
