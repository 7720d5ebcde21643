import { useSignal } from '@preact/signals'
import { Form } from '../../../../kit/form.tsx'
import { Card } from '../../../../kit/look.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { sayIn } from '../../../../lib/language.ts'
import { api, SallyportError } from '../../../api.ts'
import { may } from '../../../frame/me.ts'
import type { Option } from '../../../kit/catalogue/products.ts'
import { useServers } from '../../../kit/catalogue/servers.ts'
import { Compare } from '../../../kit/forms/edit.tsx'
import type { OptionProps } from '../option-props.ts'
import { words } from '../words.en.ts'
import { Add } from './add.tsx'
import { Joining, Kept } from './lists.tsx'
import { idsAfter, noWish, partOf, type Wish } from './wish.ts'

const say = sayIn(words)

const most = 20

/** The option as it is now, where somebody else was quicker. */
const optionIn = (error: unknown): Option | undefined => {
  const row =
    error instanceof SallyportError && error.statusCode === 409 ? (error.data as Option | null) : null
  return Array.isArray(row?.servers) ? row : undefined
}

const isThere = ({ servers }: Option, id: number): boolean => servers.some((one) => one.server_id === id)

interface CompareServersProps {
  readonly now: Option
  readonly wish: Wish
  readonly nameOf: (id: number) => string
  readonly store: (wish: Wish, seen: Option) => Promise<void>
}

/** Server by server: whether the option has it. */
const CompareServers = ({ now, wish, nameOf, store }: CompareServersProps) => {
  const ids = [...wish.leaving, ...wish.joining]
  const theirs = Object.fromEntries(ids.map((id) => [String(id), isThere(now, id)]))
  const mine = Object.fromEntries(ids.map((id) => [String(id), wish.joining.includes(id)]))
  return (
    <Compare
      fields={ids.map((id) => ({ name: String(id), label: say('has', { name: nameOf(id) }) }))}
      collision={{ row: { ...theirs, version: now.version }, mine }}
      send={(chosen) => store(partOf(wish, Object.keys(chosen).map(Number)), now)}
    />
  )
}

const Listed = ({ option, onSaved }: OptionProps) => {
  const servers = useServers()
  const wish = useSignal<Wish>(noWish)
  const now = useSignal<Option | undefined>(undefined)
  const mayChange = may('changeOption')
  const change = (next: Wish) => (wish.value = next)
  const store = async (wanted: Wish, seen: Option) => {
    const body = { server_ids: [...idsAfter(seen.servers, wanted)], version: seen.version }
    try {
      const saved = await api.changeOption({ params: { id: option.id }, body })
      now.value = undefined
      wish.value = noWish
      tell(say('serversSaved'))
      onSaved(saved)
    } catch (error) {
      const found = optionIn(error)
      if (!found) throw error
      now.value = found
      wish.value = wanted
    }
  }
  if (now.value)
    return <CompareServers now={now.value} wish={wish.value} nameOf={servers.nameOf} store={store} />
  const { leaving, joining } = wish.value
  const lists = { placed: option.servers, wish: wish.value, change, servers }
  const present = idsAfter(option.servers, { leaving: [], joining })
  return (
    <>
      {option.servers.length === 0 && <p class="small">{say('noServers')}</p>}
      {option.servers.length > 0 && <Kept {...lists} mayChange={mayChange} />}
      {joining.length > 0 && (
        <>
          <h3>{say('joining')}</h3>
          <p class="small">{say('joiningText')}</p>
          <Joining {...lists} />
        </>
      )}
      {mayChange && present.length < most && (
        <Add
          protocol={option.protocol}
          present={present}
          servers={servers}
          add={(id) => change({ ...wish.value, joining: [...joining, id] })}
        />
      )}
      {leaving.length + joining.length > 0 && (
        <Form send={() => store(wish.value, option)} submit={say('saveServers')}>
          {leaving.length > 0 && (
            <p class="notice" role="status">
              {say('leavingText', { servers: leaving.map(servers.nameOf).join('; ') })}
            </p>
          )}
          <div class="acts">
            <button type="button" onClick={() => change(noWish)}>
              {say('undo')}
            </button>
          </div>
        </Form>
      )}
    </>
  )
}

/** What is saved of them elsewhere begins this anew. */
const keyOf = ({ id, servers, protocol }: Option): string =>
  `${id} ${protocol} ${servers.map(({ server_id, index }) => `${server_id}:${index}`)}`

export const Servers = (props: OptionProps) => (
  <Card
    title={say('servers')}
    side={
      <span class="small">{say('countOf', { n: `${props.option.servers.length}`, most: `${most}` })}</span>
    }
  >
    <p class="small">{say('serversText')}</p>
    <Listed key={keyOf(props.option)} {...props} />
  </Card>
)
