import { Act } from '../../../kit/act.tsx'
import { sayIn } from '../../../lib/language.ts'
import { Meanwhile } from '../../kit/forms/meanwhile.tsx'
import { type Apps, type Collision, type Draft, draftOf } from './draft.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface CollidedProps {
  readonly collision: Collision
  readonly keep: (mine: Draft, theirs: Apps) => Promise<void>
  readonly take: (theirs: Apps) => void
}

const Names = ({ draft, names }: { readonly draft: Draft; readonly names: ReadonlyMap<string, string> }) => (
  <ol>
    {draft.ids.map((id) => (
      <li key={id}>
        {names.get(id) ?? id} {draft.hidden.includes(id) && <span class="small">({say('isHidden')})</span>}
      </li>
    ))}
  </ol>
)

/** Somebody arranged the apps meanwhile: both orders beside each other, and nothing is lost. */
export const Collided = ({ collision: { theirs, mine }, keep, take }: CollidedProps) => {
  const names = new Map([...theirs.apps, ...mine.added].map(({ id, name }) => [id, name]))
  return (
    <Meanwhile title={say('collidedTitle')} text={say('collidedText')}>
      <div class="columns">
        {(
          [
            ['theirs', draftOf(theirs)],
            ['mine', mine],
          ] as const
        ).map(([whose, draft]) => (
          <div key={whose}>
            <h3>{say(whose)}</h3>
            <Names draft={draft} names={names} />
          </div>
        ))}
      </div>
      <div class="acts">
        <Act kind="p" run={() => keep(mine, theirs)}>
          {say('keepMine')}
        </Act>
        <button type="button" onClick={() => take(theirs)}>
          {say('takeTheirs')}
        </button>
      </div>
    </Meanwhile>
  )
}
