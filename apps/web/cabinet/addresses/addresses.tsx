import { Copyable } from '../../kit/copy.tsx'
import { sayIn } from '../../lib/language.ts'
import { page } from '../../lib/page.ts'
import { subscriptionAddress } from './subscription-address.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** The same link under the other names of the service. */
export const OtherAddresses = ({ subscriptionKey: key }: { readonly subscriptionKey: string }) =>
  page.mirrors.length === 0 ? null : (
    <>
      <p class="small">{say('other')}</p>
      {page.mirrors.map((mirror) => (
        <Copyable
          key={mirror}
          text={subscriptionAddress(key, mirror)}
          label={say('copy', { host: new URL(mirror).host })}
        />
      ))}
    </>
  )
