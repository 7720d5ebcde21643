import type { ComponentChildren } from 'preact'
import { Act } from '../../../kit/act.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { hrefOf } from '../../kit/subject.tsx'
import { to } from '../../paths.ts'
import { Gift } from './gift.tsx'
import { Message } from './head.tsx'
import { Adjust } from './money.tsx'
import { Days, Option } from './term-acts.tsx'
import type { UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Check = Awaited<ReturnType<typeof api.diagnoseUser>>[number]

interface RepairProps extends UserProps {
  readonly check: Check
}

const Unblock = ({ user, of }: UserProps) => {
  const open = async () => {
    await api.blockUser({ params: { id: user.id }, body: { is_blocked: false, version: user.version } })
    tell(say('opened'))
    await of.reload()
  }
  return <Act run={open}>{say('unblock')}</Act>
}

const Retry = ({ id, of }: Pick<UserProps, 'of'> & { readonly id: number }) => {
  const retry = async () => {
    await api.retryMachine({ params: { id } })
    tell(say('retried'))
    await of.reload()
  }
  return <Act run={retry}>{say('retry')}</Act>
}

const numberIn = (subject = ''): number => Number(subject.split(':')[1])

/** What is done right here. */
const here: Readonly<Partial<Record<Parameters<typeof may>[0], (props: RepairProps) => ComponentChildren>>> =
  {
    blockUser: ({ user, of }) => <Unblock user={user} of={of} />,
    grantProduct: ({ user, of }) => <Gift user={user} of={of} />,
    adjustBalance: ({ user, of }) => <Adjust user={user} of={of} />,
    createNotification: ({ user }) => <Message id={user.id} />,
    retryMachine: ({ check, of }) => <Retry id={numberIn(check.subject)} of={of} />,
    changeTermDays: ({ check, user, of }) => {
      const term = user.terms.find(({ term_id }) => term_id === numberIn(check.subject))
      return term && <Days term={term} user={user} of={of} />
    },
    changeUserOption: ({ check, user, of }) => {
      const term = user.terms.find(({ term_id }) => term_id === numberIn(check.subject))
      return term && <Option term={term} user={user} of={of} />
    },
  }

/** Pages on which it is done, where what it is about has none. */
const pages: Readonly<Partial<Record<string, readonly [href: string, text: string]>>> = {
  createServer: [to('/console/nodes'), say('toNodes')],
  changeDeliverySettings: [to('/console/delivery'), say('toDelivery')],
}

const kinds = ['order', 'node', 'server', 'machine'] as const

const placeOf = ({
  operation = '',
  subject = '',
}: Check): readonly [href: string, text: string] | undefined => {
  const [href, kind] = [hrefOf(subject), kinds.find((one) => subject.startsWith(`${one}:`))]
  if (href === undefined || kind === undefined) return pages[operation]
  return [href, say(`to_${kind}`, { id: `${numberIn(subject)}` })]
}

/** What puts it right, for those who may; otherwise the place where one sees more of it. */
export const Repair = (props: RepairProps) => {
  const operation = props.check.operation as Parameters<typeof may>[0] | undefined
  const done = operation && may(operation) && here[operation]?.(props)
  if (done) return <div class="acts">{done}</div>
  const place = placeOf(props.check)
  return place ? (
    <a class="button" href={place[0]}>
      {place[1]}
    </a>
  ) : null
}
