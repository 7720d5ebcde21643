import { useSignal } from '@preact/signals'
import { Act } from '../../../../kit/act.tsx'
import { Field, type Filled, Form } from '../../../../kit/form.tsx'
import { Told } from '../../../../kit/problem.tsx'
import { saveFile } from '../../../../kit/save-file.ts'
import { Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api, SallyportError } from '../../../../lib/api.ts'
import { money } from '../../../../lib/format.ts'
import { isInTelegram } from '../../../../lib/outside.ts'
import { page } from '../../../../lib/page.ts'
import { useResource } from '../../../../lib/resource.ts'
import { together } from '../../../../lib/together.ts'
import { to } from '../../../paths.ts'
import { leave } from '../sign-out.ts'
import { say } from './say.ts'

const fileName = (seconds: number): string =>
  `${page.name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')}-${new Date(seconds * 1000).toISOString().slice(0, 10)}.json`

const Export = () => {
  const cut = useSignal<readonly string[]>([])
  const run = async () => {
    const data = await api.exportProfile()
    const text = JSON.stringify(data, null, 2)
    saveFile(fileName(data.exported_at), new Blob([text], { type: 'application/json' }))
    cut.value = data.cut_lists
    tell(say('exported'))
  }
  return (
    <section class="part">
      <h3>{say('exportTitle')}</h3>
      <p>{say('exportText')}</p>
      {isInTelegram() ? <p class="small">{say('noDownload')}</p> : <Act run={run}>{say('export')}</Act>}
      {cut.value.length > 0 && <p class="small">{say('exportCut', { lists: cut.value.join(', ') })}</p>}
    </section>
  )
}

type Profile = Awaited<ReturnType<typeof api.getProfile>>

const explained = (error: unknown): unknown =>
  error instanceof SallyportError && error.statusCode === 409 ? new Told(say('withdrawalWaits')) : error

const DeleteForm = ({ profile }: { readonly profile: Profile }) => {
  const address = profile.email ?? say('word')
  const remove = async ({ address: typed = '' }: Filled) => {
    if (typed.trim().toLowerCase() !== address.toLowerCase()) throw new Told(say('mistyped', { address }))
    try {
      await api.deleteAccount()
    } catch (error) {
      throw explained(error)
    }
    leave()
    tell(say('deleted'))
  }
  const { balance, referral_balance: earned } = profile
  return (
    <>
      <ul class="plain">
        <li>{say('loses1')}</li>
        {balance + earned > 0 && <li>{say('loses2', { balance: money(balance), earned: money(earned) })}</li>}
        <li>{say('loses3')}</li>
        <li>{say('loses4')}</li>
      </ul>
      <Form submit={say('delete')} kind="danger" send={remove}>
        <Field name="address" label={say('typeAddress', { address })}>
          {(wiring) => (
            <input {...wiring} autocomplete="off" autocapitalize="none" spellcheck={false} required />
          )}
        </Field>
      </Form>
    </>
  )
}

const Deletion = () => {
  const profile = useResource('profile', () => api.getProfile(), { keep: true })
  const records = useResource('referral', () => api.listReferralRecords({ query: { limit: 50 } }))
  return (
    <section class="part">
      <h3>{say('deletion')}</h3>
      <p>{say('deletionText')}</p>
      <Shown of={together(profile, records)}>
        {([known, all]) =>
          all.some(({ status }) => status === 'pending') ? (
            <p class="notice">
              {say('withdrawalWaits')} <a href={to('/friends')}>{say('toFriends')}</a>
            </p>
          ) : (
            <DeleteForm profile={known} />
          )
        }
      </Shown>
    </section>
  )
}

export const Data = () => (
  <>
    <Export />
    <Deletion />
  </>
)
