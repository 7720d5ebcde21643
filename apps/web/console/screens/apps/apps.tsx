import { batch, useSignal } from '@preact/signals'
import { platforms } from '@sallyport/domain/delivery/apps/app'
import { useEffect } from 'preact/hooks'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { rowIn, sentUnlessChanged } from '../../kit/forms/versions.ts'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { OwnApps } from './added/own-apps.tsx'
import { Collided } from './collided.tsx'
import { type Apps, bodyOf, type Collision, type Draft, draftOf, isChanged } from './draft.ts'
import { Arrange } from './list.tsx'
import { Preview } from './preview.tsx'
import './apps.css'
import { platformOptions } from './titles.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface ArrangementProps {
  readonly apps: Apps
  readonly of: Resource<Apps>
}

/** What is being made, and from what it began: the version of that one is sent. */
const useDraft = ({ apps, of }: ArrangementProps) => {
  const was = useSignal(apps)
  const draft = useSignal(draftOf(apps))
  const collision = useSignal<Collision | undefined>(undefined)
  const begin = (next: Apps): void =>
    batch(() => {
      was.value = next
      draft.value = draftOf(next)
      collision.value = undefined
    })
  // Read anew when the page is opened again; what is not saved yet is never thrown away by itself.
  useEffect(() => {
    if (!isChanged(draft.peek(), was.peek())) begin(apps)
  }, [apps])
  /** Where somebody was quicker both are kept, and the operator chooses. */
  const save = async (mine: Draft, seen = was.peek()): Promise<void> => {
    try {
      const saved = await sentUnlessChanged(seen, ['order', 'hidden', 'added'], seen.version, (version) =>
        api.arrangeApps({ body: { ...bodyOf(mine, seen), version } }),
      )
      begin(saved)
      of.set(saved)
      tell(say('saved'))
    } catch (error) {
      const theirs = rowIn(error)
      if (!theirs) throw error
      collision.value = { theirs: theirs as unknown as Apps, mine }
    }
  }
  const take = (theirs: Apps): void => {
    begin(theirs)
    of.set(theirs)
  }
  return { draft, was, collision, save, take }
}

const Arrangement = (props: ArrangementProps) => {
  const { query } = useLocation()
  const platform = platforms.find((one) => one === query.platform)
  const { draft, was, collision, save, take } = useDraft(props)
  return (
    <>
      {collision.value && <Collided collision={collision.value} keep={save} take={take} />}
      <Filters>
        <ChosenFilter name="platform" label={say('platform')} options={platformOptions} />
      </Filters>
      <div class="columns">
        <Arrange
          draft={draft}
          apps={was.value}
          platform={platform}
          save={() => save(draft.value)}
          drop={() => take(was.value)}
        />
        <Preview draft={draft.value} platform={platform} />
      </div>
      {(may('arrangeApps') || was.value.added.length > 0) && <OwnApps draft={draft.value} save={save} />}
    </>
  )
}

/** Which apps customers are offered, and in which order. */
const AppsPage = () => {
  const apps = useResource('delivery/apps', () => api.showApps())
  return (
    <>
      <h1>{say('title')}</h1>
      <p class="small">{say('about')}</p>
      <Shown of={apps} lines={8}>
        {(data) => <Arrangement apps={data} of={apps} />}
      </Shown>
    </>
  )
}

export default AppsPage
