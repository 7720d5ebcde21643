import { Fold } from '../../../kit/fold.tsx'
import { sayIn } from '../../../lib/language.ts'
import { asking } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const accounts = [
  ['user:7:wallet', 'wallet'],
  ['revenue', 'revenue'],
  ['refunds', 'refunds'],
  ['provider:yookassa', 'provider'],
  ['clearing:TON', 'clearing'],
  ['suspense', 'suspense'],
  ['payouts', 'payouts'],
  ['operator', 'operator'],
  ['promocode_expense', 'promocode_expense'],
] as const

const causes = [
  ['order:77:', 'order'],
  ['receipt:', 'receipt'],
  ['refund:', 'refund'],
  ['withdrawal:', 'withdrawal'],
  ['commission:', 'commission'],
  ['user:', 'user'],
] as const

interface ListProps {
  readonly filter: 'account' | 'cause'
  readonly title: string
  readonly of: readonly (readonly [value: string, about: string])[]
}

const Examples = ({ filter, title, of }: ListProps) => (
  <div>
    <h3>{title}</h3>
    <ul>
      {of.map(([value, about]) => (
        <li key={value}>
          <a href={asking('/console/ledger', { [filter]: value })}>{value}</a>{' '}
          <span class="small">{about}</span>
        </li>
      ))}
    </ul>
  </div>
)

const said = <N extends Parameters<typeof say>[0]>(
  of: readonly (readonly [string, N])[],
  tell: (name: N) => string,
) => of.map(([value, name]) => [value, tell(name)] as const)

/** What accounts and causes are called, each to be tried by a press. */
export const ExampleFilters = () => (
  <Fold title={say('examples')}>
    <div class="columns">
      <Examples filter="account" title={say('exampleAccounts')} of={said(accounts, (name) => say(name))} />
      <Examples filter="cause" title={say('exampleCauses')} of={said(causes, (name) => say(name))} />
    </div>
    <p class="small">{say('examplesText')}</p>
  </Fold>
)
