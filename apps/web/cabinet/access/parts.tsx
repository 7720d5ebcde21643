import { sayIn } from '../../lib/language.ts'
import { hasSwitches } from '../vpn/switches.ts'
import type { Access } from './access.ts'
import { Loaded, Opening } from './opening.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const Part = ({
  title,
  name,
  load,
  access,
}: {
  readonly title: string
  readonly name?: string
  readonly load: Parameters<typeof Loaded<{ readonly access: Access }>>[0]['load']
  readonly access: Access
}) => (
  <Opening title={title} {...(name && { name })}>
    {() => <Loaded load={load} props={{ access }} />}
  </Opening>
)

/** All that most people never open. */
export const Parts = ({ access }: { readonly access: Access }) => {
  const { protocol } = access
  const isTelegram = protocol === 'mtproto'
  return (
    <section class="card folds">
      {access.change && !isTelegram && (
        <Part
          title={say(access.place === 'none' ? 'changeHere' : 'change')}
          name="move"
          load={() => import('./change/change.tsx')}
          access={access}
        />
      )}
      {!isTelegram && (
        <Part title={say('bridge')} load={() => import('./bridge/bridge.tsx')} access={access} />
      )}
      {access.proxy && <Part title={say('proxy')} load={() => import('./proxy/proxy.tsx')} access={access} />}
      {access.stats && <Part title={say('stats')} load={() => import('./stats/stats.tsx')} access={access} />}
      {access.saveXray && !isTelegram && hasSwitches(protocol) && (
        <Part title={say('xray')} load={() => import('./xray/xray.tsx')} access={access} />
      )}
      {access.saveAwg && protocol === 'amnezia-wg-2' && (
        <Part title={say('awg')} load={() => import('./awg/awg.tsx')} access={access} />
      )}
      <Part title={say('credentials')} load={() => import('./credentials/credentials.tsx')} access={access} />
    </section>
  )
}
