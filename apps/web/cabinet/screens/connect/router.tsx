import { useEffect } from 'preact/hooks'
import { Copy } from '../../../kit/copy.tsx'
import { sayIn } from '../../../lib/language.ts'
import { devicesOf, type Source } from './source.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface RouterProps {
  readonly source: Source
  readonly toKeys: () => void
}

/** By the link where it can be fetched, otherwise by the file of one server. */
export const Router = ({ source, toKeys }: RouterProps) => {
  const devices = devicesOf(source.id)
  useEffect(() => {
    void devices.reload()
  }, [devices])
  const isLimited = (devices.data.value?.settings?.device_limit ?? 0) > 0
  return (
    <>
      <p>{say('routerAll')}</p>
      <section class="card">
        <h2>{say('routerLink')}</h2>
        <p>{say('routerLinkText')}</p>
        {isLimited && (
          <p class="notice">
            {say('routerLimited')} <a href={source.devicesPage}>{say('toDevices')}</a>
          </p>
        )}
        <Copy kind="p" text={source.address} label={say('copyLink')} />
        <p class="small">{say('secret')}</p>
      </section>
      <section class="card">
        <h2>{say('routerFile')}</h2>
        <p>{say('routerFileText')}</p>
        <button type="button" onClick={toKeys}>
          {say('toKeys')}
        </button>
      </section>
    </>
  )
}
