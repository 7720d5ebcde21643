import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Field, type Filled, Form } from '../../../../kit/form.tsx'
import { Told } from '../../../../kit/problem.tsx'
import { sayIn } from '../../../../lib/language.ts'
import { useLocations } from '../../../kit/places.ts'
import { type Cloud, useClouds } from '../off-sale.tsx'
import { words } from '../words.en.ts'
import type { Offer } from './offer.ts'
import { placeIn, Types } from './types.tsx'

const say = sayIn(words)

const isProvider = (cloud: Cloud | undefined): boolean =>
  cloud !== undefined && cloud.kind !== 'local' && cloud.kind !== 'manual'

/** What providers call the Debian that machines begin with. */
const usualImages: Readonly<Record<string, string>> = { hetzner: 'debian-13', digitalocean: 'debian-13-x64' }

interface OfferFormProps {
  /** The one that is changed. */
  readonly offer?: Offer
  readonly submit: string
  readonly take: (offer: Offer) => void
}

/** Where a machine comes from, and which. */
export const OfferForm = ({ offer, submit, take }: OfferFormProps) => {
  const id = useId()
  const { locations, nameOf } = useLocations()
  const clouds = useClouds().data.value ?? []
  const cloudId = useSignal(offer?.cloud_id ?? 0)
  const cloud = clouds.find((one) => one.id === cloudId.value)
  const send = async ({ location = '', type = '', image = '', site = '' }: Filled) => {
    if (cloudId.value === 0 || location === '') throw new Told(say('chooseBoth'))
    const place = isProvider(cloud) ? placeIn(type) : { region: '', machine_type: '' }
    take({
      location_id: Number(location),
      cloud_id: cloudId.value,
      ...place,
      image: image.trim(),
      reality_server_name: site.trim(),
    })
  }
  return (
    <Form send={send} submit={submit}>
      <Field name="location" label={say('location')}>
        {(wiring) => (
          <select {...wiring} required defaultValue={offer ? String(offer.location_id) : ''}>
            {!offer && <option value="">—</option>}
            {(locations.data.value ?? []).map((one) => (
              <option key={one.id} value={String(one.id)} selected={one.id === offer?.location_id}>
                {nameOf(one.id)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="field">
        <label for={id}>{say('cloud')}</label>
        <select
          id={id}
          required
          value={cloudId.value === 0 ? '' : String(cloudId.value)}
          onChange={(event) => (cloudId.value = Number(event.currentTarget.value))}
        >
          {!offer && <option value="">—</option>}
          {clouds.map((one) => (
            <option key={one.id} value={String(one.id)}>
              {say('cloudOf', { title: one.title, kind: say(one.kind) })}
            </option>
          ))}
        </select>
      </div>
      {cloud && isProvider(cloud) && (
        <>
          <Types key={cloud.id} cloud={cloud.id} offer={offer} />
          <Field key={`image ${cloud.id}`} name="image" label={say('image')} hint={say('imageHint')}>
            {(wiring) => (
              <input
                {...wiring}
                required
                autocomplete="off"
                defaultValue={offer?.cloud_id === cloud.id ? offer.image : usualImages[cloud.kind]}
              />
            )}
          </Field>
        </>
      )}
      {cloud && !isProvider(cloud) && (
        <p class="small">{say(cloud.kind === 'local' ? 'localText' : 'manualText')}</p>
      )}
      <Field name="site" label={say('site')} hint={say('siteHint')}>
        {(wiring) => <input {...wiring} autocomplete="off" defaultValue={offer?.reality_server_name} />}
      </Field>
    </Form>
  )
}
