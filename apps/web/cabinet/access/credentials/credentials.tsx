import { Confirmed } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { forgetRead } from '../../../lib/resource.ts'
import type { Access } from '../access.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** In place of keys that others may know. */
export default function Credentials({ access }: { readonly access: Access }) {
  const run = async () => {
    await access.resetCredentials()
    forgetRead('configs', 'proxy')
    tell(say('done'))
  }
  return (
    <>
      <p>{say('about')}</p>
      <Confirmed title={say('confirm')} yes={say('reset')} run={run}>
        <ul class="bullets">
          <li>{say('dies')}</li>
          {access.proxy && <li>{say('proxyToo')}</li>}
          <li>{say('stays')}</li>
          <li>{say('router')}</li>
        </ul>
      </Confirmed>
    </>
  )
}
