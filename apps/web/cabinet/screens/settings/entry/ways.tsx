import { Shown } from '../../../../kit/shown.tsx'
import { api } from '../../../../lib/api.ts'
import { useResource } from '../../../../lib/resource.ts'
import { together } from '../../../../lib/together.ts'
import { Elsewhere } from './elsewhere.tsx'
import { useLinked } from './linked.ts'
import { Mail } from './mail.tsx'
import { Passkeys } from './passkeys.tsx'
import { say } from './say.ts'

/** By what the account is opened; one of them always stays. */
export const Ways = () => {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  const passkeys = useResource('passkeys', () => api.listPasskeys())
  const identities = useResource('identities', () => api.listIdentities())
  useLinked(() => void identities.reload())
  return (
    <Shown of={together(profile, together(passkeys, identities))}>
      {([{ email }, [keys, linked]]) => {
        const isLast = (email === null ? 0 : 1) + keys.length + linked.length <= 1
        return (
          <>
            <p class="small">{say('waysText')}</p>
            <Mail email={email} onChange={() => void profile.reload()} />
            <Passkeys keys={keys} isLast={isLast} onChange={(all) => passkeys.set(all)} />
            <Elsewhere linked={linked} isLast={isLast} onChange={(all) => identities.set(all)} />
          </>
        )
      }}
    </Shown>
  )
}
