import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Copy } from '../../../kit/copy.tsx'
import { Confirmed } from '../../../kit/dialog.tsx'
import { JsonEditor } from '../../../kit/json-editor.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import type { Values } from '../../kit/forms/fields.tsx'
import { Raw } from '../../kit/raw.tsx'
import { to } from '../../paths.ts'
import { EditText } from './edit-text.tsx'
import { isJson, kindOf } from './kinds.ts'
import { OwnBadge } from './templates.tsx'
import { words } from './words.en.ts'
import { YamlEditor } from './yaml-editor.tsx'

const say = sayIn(words)

type Template = Awaited<ReturnType<typeof api.showDeliveryTemplate>>

interface TemplateProps {
  readonly template: Template
  readonly of: Resource<Template>
  /** The editor begins anew. */
  readonly anew: () => void
}

const textOf = ({ template }: Values): string => String(template)

const Editor = ({ template: { kind, template, version }, of, anew }: TemplateProps) => {
  const Field = isJson(kind) ? JsonEditor : YamlEditor
  const send = async (text: string, seen: number) =>
    of.set(await api.changeDeliveryTemplate({ params: { kind }, body: { template: text, version: seen } }))
  const takeTheirs = async () => {
    await of.reload()
    anew()
  }
  return (
    <EditText
      name="template"
      text={template}
      version={version}
      textOf={textOf}
      send={send}
      takeTheirs={takeTheirs}
    >
      <Field name="template" label={say('template')} hint={say('templateHint')} value={template} />
    </EditText>
  )
}

const Reset = ({ template: { kind }, of, anew }: TemplateProps) => {
  const reset = async () => {
    of.set(await api.resetDeliveryTemplate({ params: { kind } }))
    anew()
    tell(say('resetDone'))
  }
  return (
    <Confirmed title={say('resetTitle', { name: kindOf(kind).title })} yes={say('reset')} run={reset}>
      <p>{say('resetText')}</p>
    </Confirmed>
  )
}

const Whole = ({ template, of }: Omit<TemplateProps, 'anew'>) => {
  const count = useSignal(0)
  const props: TemplateProps = { template, of, anew: () => void count.value++ }
  return (
    <>
      <div class="head">
        <div>
          <h1>{say('templateTitle', { name: kindOf(template.kind).title })}</h1>
          <OwnBadge isOwn={template.is_own} />
        </div>
        <div class="acts">
          <Copy text={template.template} label={say('copy')} />
          {template.is_own && may('resetDeliveryTemplate') && <Reset {...props} />}
        </div>
      </div>
      <p>{kindOf(template.kind).hint}</p>
      {may('changeDeliveryTemplate') ? (
        <Editor key={count.value} {...props} />
      ) : (
        <Raw label={say('template')} text={template.template} />
      )}
    </>
  )
}

/** What a format is made of, edited over the whole page. */
export const TemplatePage = ({ kind }: { readonly kind: string }) => {
  const template = useResource(`delivery/template/${kind}`, () =>
    api.showDeliveryTemplate({ params: { kind } }),
  )
  useEffect(() => {
    scrollTo(0, 0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <p>
        <a href={to('/console/delivery')}>{say('back')}</a>
      </p>
      <Shown of={template} lines={8} heading={say('templateTitle', { name: kindOf(kind).title })}>
        {(data) => <Whole template={data} of={template} />}
      </Shown>
    </>
  )
}
