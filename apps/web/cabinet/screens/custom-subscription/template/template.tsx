import { useSignal } from '@preact/signals'
import { Switch } from '../../../../kit/choice.tsx'
import { Confirmed } from '../../../../kit/dialog.tsx'
import { Form } from '../../../../kit/form.tsx'
import { JsonEditor } from '../../../../kit/json-editor.tsx'
import { Problem } from '../../../../kit/problem.tsx'
import { Shown } from '../../../../kit/shown.tsx'
import { tell } from '../../../../kit/toast.tsx'
import { api } from '../../../../lib/api.ts'
import { sayIn } from '../../../../lib/language.ts'
import { type Resource, useResource } from '../../../../lib/resource.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const Enabled = ({ id }: { readonly id: number }) => {
  const params = { id }
  const settings = useResource(`template-settings/${id}`, () => api.showTemplateSettings({ params }))
  const wanted = useSignal<boolean | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const change = async (enabled: boolean) => {
    wanted.value = enabled
    error.value = undefined
    try {
      settings.set(await api.changeTemplateSettings({ params, body: { enabled } }))
      tell(say('saved'))
    } catch (reason) {
      error.value = reason
    }
    wanted.value = undefined
  }
  return (
    <Shown of={settings} lines={1}>
      {({ enabled }) => (
        <>
          <Switch
            label={say('enabled')}
            hint={say('enabledHint')}
            isOn={wanted.value ?? enabled}
            disabled={wanted.value !== undefined}
            onChange={change}
          />
          {error.value !== undefined && <Problem error={error.value} />}
        </>
      )}
    </Shown>
  )
}

interface ResetProps {
  readonly id: number
  readonly template: Resource<string>
  readonly onDone: () => void
}

const Reset = ({ id, template, onDone }: ResetProps) => {
  return (
    <Confirmed
      title={say('resetTitle')}
      yes={say('reset')}
      run={async () => {
        await api.resetXrayTemplate({ params: { id } })
        await template.reload()
        onDone()
        tell(say('resetDone'))
      }}
    >
      <p>{say('resetText')}</p>
    </Confirmed>
  )
}

/** What apps that read whole Xray configurations get around the servers. */
export default function Template({ id }: { readonly id: number }) {
  const params = { id }
  const template = useResource(`template/${id}`, () => api.showXrayTemplate({ params }))
  // The editor keeps its own text, and the form what was said: they begin anew with another count.
  const count = useSignal(0)
  return (
    <>
      <p>{say('about')}</p>
      <Enabled id={id} />
      <Shown of={template}>
        {(text) => (
          <>
            <Form
              key={count.value}
              submit={say('save')}
              send={async ({ template: wanted = '' }) => {
                await api.changeXrayTemplate({ params, body: { template: wanted } })
                template.set(wanted)
                tell(say('saved'))
              }}
            >
              <JsonEditor name="template" label={say('label')} value={text} hint={say('hint')} />
            </Form>
            <Reset
              id={id}
              template={template}
              onDone={() => {
                count.value++
              }}
            />
          </>
        )}
      </Shown>
    </>
  )
}
