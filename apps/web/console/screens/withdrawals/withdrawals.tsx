import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { Badge } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime, money, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { now } from '../../../lib/page.ts'
import { forgetRead, resource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, type Page, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { Person } from '../../kit/person.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

type Row = Awaited<ReturnType<typeof api.listWithdrawals>>[number]

const statuses = ['pending', 'paid', 'rejected'] as const
const tones = { pending: 'warn', paid: 'good', rejected: 'dim' } as const
const daySeconds = 86_400
const most = 500

/** The whole number is looked at one by one, and each look is in the audit log. */
const Account = ({ row }: { readonly row: Row }) => {
  const whole = useSignal<string | undefined>(undefined)
  const show = async () => {
    whole.value = (await api.revealWithdrawalAccount({ params: { id: row.id } })).account
  }
  return (
    <>
      {row.bank_name ?? row.method}
      <span class="small words">{whole.value ?? row.account}</span>
      {whole.value === undefined && row.status === 'pending' && may('revealWithdrawalAccount') && (
        <Act kind="link" run={show} label={say('showOf', { id: `${row.id}` })}>
          {say('show')}
        </Act>
      )}
    </>
  )
}

interface DecideProps {
  readonly row: Row
  readonly decided: () => Promise<void>
}

const Decide = ({ row, decided }: DecideProps) => {
  const { id } = row
  const isApproving = useSignal(false)
  const isRejecting = useSignal(false)
  const approve = async () => {
    const { status } = await once('approveWithdrawal', { id }, (idempotencyKey) =>
      api.approveWithdrawal({ params: { id }, idempotencyKey }),
    )
    isApproving.value = false
    tell(say(status === 'paid' ? 'approved' : 'waitsForSecond'))
    await decided()
  }
  const reject = async ({ reason = '' }: Readonly<Record<string, string>>) => {
    const body = { reason }
    await once('rejectWithdrawal', { id, body }, (idempotencyKey) =>
      api.rejectWithdrawal({ params: { id }, body, idempotencyKey }),
    )
    isRejecting.value = false
    tell(say('rejectedNow'))
    await decided()
  }
  return (
    <div class="acts">
      <button type="button" onClick={() => (isApproving.value = true)}>
        {say('approve')}
      </button>
      <button type="button" onClick={() => (isRejecting.value = true)}>
        {say('reject')}
      </button>
      <Dialog isOpen={isApproving} title={say('approveTitle', { sum: money(row.amount) })}>
        <p>{say('approveText')}</p>
        <div class="acts">
          <Act kind="p" run={approve} isSpending>
            {say('moneySent')}
          </Act>
        </div>
      </Dialog>
      <Dialog isOpen={isRejecting} title={say('rejectTitle', { sum: money(row.amount) })}>
        <p>{say('rejectText')}</p>
        <Form send={reject} submit={say('reject')} kind="danger">
          <Field name="reason" label={say('reason')} hint={say('reasonHint')}>
            {(wiring) => <input {...wiring} maxLength={500} required />}
          </Field>
        </Form>
      </Dialog>
    </div>
  )
}

const Age = ({ row }: { readonly row: Row }) => {
  const days = Math.floor((now() - row.created_at) / daySeconds)
  return (
    <>
      <span class="words">{dateTime(row.created_at)}</span>{' '}
      {row.status === 'pending' && days > 0 && (
        <Badge tone={days >= 3 ? 'bad' : 'warn'}>{say('waits', { n: days })}</Badge>
      )}
    </>
  )
}

/** All that wait, whoever has waited longest first. */
const readWaiting = async (): Promise<readonly Row[]> => {
  const all: Row[] = []
  for (;;) {
    const last = all.at(-1)?.id
    const query = { status: 'pending', limit: most, ...(last !== undefined && { before: last }) } as const
    const rows = await api.listWithdrawals({ query })
    all.push(...rows)
    if (rows.length < most) return all.reverse()
  }
}

/** Earnings of referrers that leave the service: first of all what waits, by age. */
const Withdrawals = () => {
  const { query } = useLocation()
  const asked = query.status ?? 'pending'
  const status = statuses.find((one) => one === asked)
  const name = `withdrawals/${status ?? ''}`
  const read = async (cursor: string | undefined): Promise<Page<Row>> => {
    if (status === 'pending') return { items: await readWaiting(), next: null }
    const query = {
      limit: pageSize,
      ...(status && { status }),
      ...(cursor !== undefined && { before: Number(cursor) }),
    }
    return before<Row>(pageSize)(await api.listWithdrawals({ query }))
  }
  const decided = async () => {
    forgetRead('overview')
    await resource(name, () => read(undefined)).reload()
  }
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <Csv path="/withdrawals" query={status ? { status } : {}} name="withdrawals" />
      </div>
      <SavedViews />
      <Filters>
        <ChosenFilter
          name="status"
          label={say('state')}
          unset={say('pending')}
          options={[
            ['paid', say('paid')],
            ['rejected', say('rejected')],
            ['all', say('all')],
          ]}
        />
      </Filters>
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        empty={<Nothing title={say('none')} />}
        columns={[
          { title: say('number'), cell: ({ id }) => number(id), isNumber: true },
          { title: say('customer'), cell: ({ user_id, email }) => <Person id={user_id} email={email} /> },
          { title: say('sum'), cell: ({ amount }) => money(amount), isNumber: true },
          { title: say('whereTo'), cell: (row) => <Account row={row} /> },
          { title: say('asked'), cell: (row) => <Age row={row} /> },
          {
            title: say('state'),
            cell: ({ status: state, reason, approved_by }) => (
              <>
                <Badge tone={tones[state]}>{say(state)}</Badge>
                {reason !== null && <span class="small">{reason}</span>}
                {state === 'pending' && approved_by.length > 0 && (
                  <span class="small">{say('oneApproved')}</span>
                )}
              </>
            ),
          },
          {
            title: say('does'),
            isAlone: true,
            cell: (row) =>
              row.status === 'pending' && may('approveWithdrawal') ? (
                <Decide row={row} decided={decided} />
              ) : null,
          },
        ]}
      />
    </>
  )
}

export default Withdrawals
