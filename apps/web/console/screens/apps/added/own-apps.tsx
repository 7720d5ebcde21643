import { useSignal } from '@preact/signals'
import { Confirmed, Dialog } from '../../../../kit/dialog.tsx'
import { Card } from '../../../../kit/look.tsx'
import { sayIn } from '../../../../lib/language.ts'
import { may } from '../../../frame/me.ts'
import type { Added, Draft } from '../draft.ts'
import { platformTitles } from '../titles.ts'
import { words } from '../words.en.ts'
import { AddedForm } from './form.tsx'

const say = sayIn(words)

const mostAdded = 20

interface OwnAppsProps {
  readonly draft: Draft
  readonly save: (draft: Draft) => Promise<void>
}

const withApp = ({ ids, hidden, added }: Draft, app: Added): Draft => {
  const isThere = added.some(({ id }) => id === app.id)
  return {
    ids: isThere ? ids : [app.id, ...ids],
    hidden,
    added: isThere ? added.map((one) => (one.id === app.id ? app : one)) : [...added, app],
  }
}

const withoutApp = ({ ids, hidden, added }: Draft, gone: string): Draft => ({
  ids: ids.filter((id) => id !== gone),
  hidden: hidden.filter((id) => id !== gone),
  added: added.filter(({ id }) => id !== gone),
})

interface OwnProps extends OwnAppsProps {
  readonly app?: Added
}

/** A new one where there is none yet. */
const WriteApp = ({ app, draft, save }: OwnProps) => {
  const isOpen = useSignal(false)
  const at = app ? draft.added.indexOf(app) : draft.added.length
  const title = app ? say('changeOf', { name: app.name }) : say('addApp')
  // Another app of the same name would take its place without a word; the service refuses it where it comes second.
  const next = (written: Added): Draft =>
    app
      ? withApp(draft, written)
      : { ...draft, ids: [written.id, ...draft.ids], added: [...draft.added, written] }
  const send = async (written: Added) => {
    await save(next(written))
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        disabled={!app && draft.added.length >= mostAdded}
        aria-label={app && title}
        onClick={() => {
          isOpen.value = true
        }}
      >
        {say(app ? 'change' : 'addApp')}
      </button>
      <Dialog isOpen={isOpen} title={title}>
        <AddedForm at={at} app={app} send={send} />
      </Dialog>
    </>
  )
}

const Own = ({ app, draft, save }: OwnAppsProps & { readonly app: Added }) => (
  <li>
    <div>
      <b>{app.name}</b>
      <p class="small">
        {app.id} · {platformTitles(app.platforms)}
      </p>
    </div>
    {may('arrangeApps') && (
      <div class="acts">
        <WriteApp app={app} draft={draft} save={save} />
        <Confirmed
          title={say('removeTitle', { name: app.name })}
          yes={say('remove')}
          run={() => save(withoutApp(draft, app.id))}
        >
          <p>{say('removeText')}</p>
        </Confirmed>
      </div>
    )}
  </li>
)

/** Apps that the catalogue does not have. They are saved at once, with whatever was moved. */
export const OwnApps = ({ draft, save }: OwnAppsProps) => (
  <Card title={say('ownApps')}>
    <p class="small">{say('ownAppsText')}</p>
    {draft.added.length > 0 && (
      <ul class="list wraps">
        {draft.added.map((app) => (
          <Own key={app.id} app={app} draft={draft} save={save} />
        ))}
      </ul>
    )}
    {may('arrangeApps') && (
      <div>
        <WriteApp draft={draft} save={save} />
      </div>
    )}
  </Card>
)
