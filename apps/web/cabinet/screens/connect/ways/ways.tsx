import { useMemo } from 'preact/hooks'
import { Copy, Copyable } from '../../../../kit/copy.tsx'
import { Fold } from '../../../../kit/fold.tsx'
import { saveFile } from '../../../../kit/save-file.ts'
import { Shown } from '../../../../kit/shown.tsx'
import { api } from '../../../../lib/api.ts'
import { sayIn } from '../../../../lib/language.ts'
import { isInTelegram } from '../../../../lib/outside.ts'
import { useResource } from '../../../../lib/resource.ts'
import { together } from '../../../../lib/together.ts'
import { OtherAddresses } from '../../../addresses/addresses.tsx'
import { protocolName } from '../../../owned/protocol-names.ts'
import { to } from '../../../paths.ts'
import { fileNameOf } from '../device.ts'
import { Drawn } from '../drawn.tsx'
import type { Held } from '../held.ts'
import { type Source, useHeld } from '../source.ts'
import { words } from './words.en.ts'

/** Besides the three steps: the link itself, and every server alone. */

const say = sayIn(words)

interface Key {
  readonly id: number
  readonly name: string
  readonly url: string
  /** Of WireGuard and its kin: what its apps read as a file and as a code. */
  readonly file: string | undefined
}

const KeyWays = ({ id, url, file }: Key) => (
  <>
    <Drawn text={file ?? url} />
    <Copyable text={url} label={say('copyKey')} />
    {file !== undefined && (
      <>
        {/* Nothing can be downloaded there. */}
        {isInTelegram() ? (
          <Copy text={file} label={say('copyFile')} />
        ) : (
          <button type="button" onClick={() => saveFile(fileNameOf(id), file)}>
            {say('file')}
          </button>
        )}
        <p class="small">{say('fileText')}</p>
      </>
    )}
  </>
)

const useKeys = (held: Held) => {
  const configs = useResource('configs', () => api.listConfigs({ query: { limit: 20 } }), { keep: true })
  const options = useResource('options', () => api.listPaidOptions(), { keep: true })
  const locations = useResource('locations', () => api.listLocations(), { keep: true })
  const all = useMemo(() => together(configs, options), [configs, options])
  const placeOf = (id: number) => locations.data.value?.find((location) => location.id === id)?.title
  const keysOf = ([own, bought]: NonNullable<typeof all.data.value>): Key[] => [
    ...own
      .filter(({ id, is_online }) => is_online !== false && held.hasConfig(id))
      .map(({ id, title, location_id, protocol, connection_url: url, awg_config: file }) => ({
        id,
        name: [title ?? placeOf(location_id), protocolName(protocol)].filter(Boolean).join(' · '),
        url,
        file,
      })),
    ...bought.flatMap(({ option_id, configs }) =>
      configs
        .filter(({ id }) => held.hasOptionConfig(option_id, id))
        .map(({ id, title, original_title, protocol, connection_url: url, awg_config: file }) => ({
          id,
          name: `${title ?? original_title} · ${protocolName(protocol)}`,
          url,
          file,
        })),
    ),
  ]
  return { all, keysOf }
}

const Keys = ({ held }: { readonly held: Held }) => {
  const { all, keysOf } = useKeys(held)
  return (
    <section class="card" id="keys">
      <h3>{say('keys')}</h3>
      <p class="small">{say('keysText')}</p>
      <Shown of={all}>
        {(data) => {
          const keys = keysOf(data)
          if (keys.length === 0)
            return (
              <p>
                {say('noKeys')} <a href={to('/shop')}>{say('toShop')}</a>
              </p>
            )
          return keys.map((key) => (
            <Fold key={key.id} title={key.name}>
              <KeyWays {...key} />
            </Fold>
          ))
        }}
      </Shown>
    </section>
  )
}

export const Ways = ({ source }: { readonly source: Source }) => {
  const held = useHeld(source.id)
  return (
    <>
      <section class="card">
        <h3>{say('subscription')}</h3>
        <p class="small">{say('subscriptionText')}</p>
        <Drawn text={source.address} />
        <Copyable text={source.address} label={say('copy')} />
        <OtherAddresses subscriptionKey={source.key} />
        <p class="small">{say('secret')}</p>
      </section>
      <Keys held={held} />
    </>
  )
}
