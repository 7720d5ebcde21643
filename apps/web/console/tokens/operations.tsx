import { groups } from 'virtual:token-operations'
import type { Signal } from '@preact/signals'
import { Fold } from '../../kit/fold.tsx'
import { sayIn } from '../../lib/language.ts'
import type { TokenOwner } from './owner.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Group = (typeof groups)[number]
type Operation = Group['operations'][number]

interface ChosenProps {
  readonly chosen: Signal<ReadonlySet<string>>
}

interface PartProps extends ChosenProps {
  readonly group: string
  readonly what: string
  readonly operations: readonly Operation[]
}

const set = (chosen: ChosenProps['chosen'], names: readonly string[], isChosen: boolean): void => {
  const rest = [...chosen.value].filter((name) => !names.includes(name))
  chosen.value = new Set(isChosen ? [...rest, ...names] : rest)
}

const Part = ({ group, what, operations, chosen }: PartProps) => {
  const names = operations.map(({ name }) => name)
  const isAll = names.every((name) => chosen.value.has(name))
  const act = say(isAll ? 'chooseNone' : 'chooseAll')
  return (
    <fieldset class="several">
      <legend>{what}</legend>
      <div>
        <button
          type="button"
          class="link small"
          aria-label={say('ofGroup', { act, group, what })}
          onClick={() => set(chosen, names, !isAll)}
        >
          {act}
        </button>
      </div>
      {operations.map(({ name, title }) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.value.has(name)}
            onChange={(event) => set(chosen, [name], event.currentTarget.checked)}
          />
          <span>
            {title}
            <span class="small" lang="en">
              {name}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const GroupOf = ({ title, operations, chosen }: Group & ChosenProps) => {
  const count = operations.filter(({ name }) => chosen.value.has(name)).length
  const parts = [
    [say('reads'), operations.filter(({ isReading }) => isReading)],
    [say('changes'), operations.filter(({ isReading }) => !isReading)],
  ] as const
  return (
    <Fold
      title={
        <>
          {title} <span class="small">{say('chosen', { n: count, all: operations.length })}</span>
        </>
      }
    >
      {parts.map(
        ([what, some]) =>
          some.length > 0 && <Part key={what} group={title} what={what} operations={some} chosen={chosen} />,
      )}
    </Fold>
  )
}

/** What the role may call, by what it is about; what only reads comes first. */
export const Operations = ({ role, chosen }: ChosenProps & { readonly role: TokenOwner['role'] }) => (
  <div>
    {groups
      .map(({ title, operations }) => ({
        title,
        operations: operations.filter(({ roles }) => roles.includes(role)),
      }))
      .filter(({ operations }) => operations.length > 0)
      .map((group) => (
        <GroupOf key={group.title} {...group} chosen={chosen} />
      ))}
  </div>
)
