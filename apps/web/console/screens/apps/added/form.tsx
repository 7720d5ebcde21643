import { appFormats, hwidHabits } from '@sallyport/domain/delivery/apps/app'
import { Field, Form } from '../../../../kit/form.tsx'
import { sayIn } from '../../../../lib/language.ts'
import { now } from '../../../../lib/page.ts'
import type { Added } from '../draft.ts'
import { platformOptions, protocolOptions } from '../titles.ts'
import { words } from '../words.en.ts'
import { Checks } from './checks.tsx'
import { fieldOf, readApp } from './read.ts'
import { Stores, useStoreCount } from './stores.tsx'

const say = sayIn(words)

const formatOptions = appFormats.map((one) => [one, one] as const)

interface AddedFormProps {
  /** Which of the operator's own it is, from 0. */
  readonly at: number
  /** As it is; nothing of a new one. */
  readonly app: Added | undefined
  readonly send: (app: Added) => Promise<unknown>
}

const Names = ({ at, app }: Omit<AddedFormProps, 'send'>) => (
  <>
    <Field name={fieldOf(at, 'name')} label={say('name')}>
      {(wiring) => <input {...wiring} defaultValue={app?.name} maxLength={40} required />}
    </Field>
    <Field name={fieldOf(at, 'id')} label={say('id')} hint={say('idHint')}>
      {(wiring) => (
        <input
          {...wiring}
          defaultValue={app?.id}
          readOnly={app !== undefined}
          maxLength={32}
          autocapitalize="off"
          autocomplete="off"
          required
        />
      )}
    </Field>
    <Field
      name={fieldOf(at, 'import_template')}
      label={say('template')}
      hint={say('templateHint', { open: '{', close: '}' })}
    >
      {(wiring) => (
        <input
          {...wiring}
          defaultValue={app?.import_template ?? ''}
          maxLength={500}
          autocapitalize="off"
          autocomplete="off"
        />
      )}
    </Field>
  </>
)

const Abilities = ({ at, app }: Omit<AddedFormProps, 'send'>) => (
  <>
    <Checks
      name={fieldOf(at, 'platforms')}
      legend={say('platforms')}
      options={platformOptions}
      chosen={app?.platforms ?? []}
    />
    <Checks
      name={fieldOf(at, 'formats')}
      legend={say('formats')}
      options={formatOptions}
      chosen={app?.formats ?? ['base64']}
    />
    <Checks
      name={fieldOf(at, 'protocols')}
      legend={say('protocols')}
      hint={say('protocolsHint')}
      options={protocolOptions}
      chosen={app?.protocols ?? []}
    />
    <Field name={fieldOf(at, 'hwid')} label={say('hwid')} hint={say('hwidHint')}>
      {(wiring) => (
        <select {...wiring}>
          {hwidHabits.map((one) => (
            <option key={one} value={one} selected={one === (app?.hwid ?? 'never')}>
              {say(`hwid_${one}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
    <Field name={fieldOf(at, 'checked_on')} label={say('checkedOn')} hint={say('checkedOnHint')}>
      {(wiring) => (
        <input
          {...wiring}
          type="date"
          defaultValue={app?.checked_on ?? new Date(now() * 1000).toISOString().slice(0, 10)}
          required
        />
      )}
    </Field>
  </>
)

/** An app that the catalogue does not have. */
export const AddedForm = ({ at, app, send }: AddedFormProps) => {
  const count = useStoreCount(app?.stores)
  return (
    <Form send={(filled) => send(readApp(filled, at, count.value))} submit={say('saveApp')}>
      <Names at={at} app={app} />
      <Abilities at={at} app={app} />
      <Stores at={at} stores={app?.stores ?? []} count={count} />
    </Form>
  )
}
