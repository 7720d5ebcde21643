import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may, readMe } from '../../frame/me.ts'
import { Edit } from '../forms/edit.tsx'
import type { FieldOf } from '../forms/fields.tsx'
import { Make } from '../forms/make.tsx'
import { tellUndoable } from '../forms/undo.tsx'
import { words } from '../words.en.ts'

const say = sayIn(words)

/** Filters of this list under names: one's own, and those that others share. */

type View = Awaited<ReturnType<typeof api.listSavedViews>>[number]

const fields: readonly FieldOf[] = [
  { name: 'title', label: say('viewTitle'), isRequired: true },
  { name: 'is_shared', label: say('viewShared'), hint: say('viewSharedHint'), kind: 'check' },
]

/** Written in any order it is the same filter. */
const inOrder = (query: string): string => {
  const given = new URLSearchParams(query)
  given.sort()
  return given.toString()
}

const isMine = ({ operator_id, is_shared }: View): boolean => {
  const me = readMe().data.value
  return operator_id === me?.id || (is_shared && me?.role === 'owner')
}

interface ChangeProps {
  readonly view: View
  readonly reload: () => Promise<void>
}

const Change = ({ view, reload }: ChangeProps) => {
  const isOpen = useSignal(false)
  const { id, page, title, query, is_shared } = view
  const close = async () => {
    isOpen.value = false
    await reload()
  }
  const remove = async () => {
    await api.deleteSavedView({ params: { id } })
    await close()
    tellUndoable(say('viewDeleted'), async () => {
      await api.createSavedView({ body: { page, title, query, is_shared } })
      await reload()
    })
  }
  return (
    <>
      <button type="button" class="link" onClick={() => (isOpen.value = true)}>
        {say('changeView')}
      </button>
      <Dialog isOpen={isOpen} title={say('changeView')}>
        <Edit
          row={view}
          fields={fields}
          send={(body) => api.changeSavedView({ params: { id }, body })}
          onSaved={close}
        />
        <Act kind="danger" run={remove}>
          {say('deleteView')}
        </Act>
      </Dialog>
    </>
  )
}

export const SavedViews = () => {
  const { path, query } = useLocation()
  const views = useResource('saved-views', () => api.listSavedViews())
  const asked = inOrder(new URLSearchParams(query).toString())
  const here = views.data.value?.filter(({ page }) => page === path) ?? []
  const current = here.find((view) => inOrder(view.query) === asked)
  const save = async (body: object) => {
    const { title, is_shared } = body as Pick<View, 'title' | 'is_shared'>
    await api.createSavedView({ body: { page: path, title, query: asked, is_shared } })
    await views.reload()
    tell(say('viewSaved'))
  }
  if (here.length === 0 && !asked) return null
  return (
    <nav class="views" aria-label={say('views')}>
      {here.map((view) => (
        <a key={view.id} href={`${path}?${view.query}`} aria-current={view === current ? 'page' : undefined}>
          {view.title}
          {view.is_shared && <span class="small">{say('viewForAll')}</span>}
        </a>
      ))}
      {current && isMine(current) && <Change key={current.id} view={current} reload={views.reload} />}
      {asked && !current && may('createSavedView') && (
        <Make title={say('saveView')} submit={say('save')} fields={fields} send={save} kind="link" />
      )}
    </nav>
  )
}
