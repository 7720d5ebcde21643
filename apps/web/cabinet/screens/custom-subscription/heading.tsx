import { useSignal } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import type { Resource } from '../../../lib/resource.ts'
import type { Subscription } from './order/entry.ts'
import { say } from './say.ts'

interface HeadingProps {
  readonly read: Resource<Subscription>
  readonly subscription: Subscription
}

export const Heading = ({ read, subscription }: HeadingProps) => {
  const isOpen = useSignal(false)
  const { id, title } = subscription
  const rename = async (wanted: string) => {
    const { title: renamed } = await api.renameCustomSubscription({ params: { id }, body: { title: wanted } })
    read.set({ ...(read.data.value ?? subscription), title: renamed })
    isOpen.value = false
    tell(say('renamed'))
  }
  return (
    <div class="row">
      <h1>{title}</h1>
      <button
        type="button"
        class="icon"
        aria-label={say('rename')}
        onClick={() => {
          isOpen.value = true
        }}
      >
        ✎
      </button>
      <Dialog isOpen={isOpen} title={say('rename')}>
        <Form submit={say('save')} send={({ title: wanted = '' }) => rename(wanted.trim())}>
          <Field name="title" label={say('name')} hint={say('nameHint')}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                required
                maxLength={64}
                autocomplete="off"
                defaultValue={title}
              />
            )}
          </Field>
        </Form>
      </Dialog>
    </div>
  )
}
