import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Dialog } from '../../../kit/dialog.tsx'
import { Form } from '../../../kit/form.tsx'
import { type FieldOf, Fields, readFields, type Value, type Values } from './fields.tsx'

interface MakeProps {
  /** What the button says, and the dialog above the form. */
  readonly title: string
  readonly submit: string
  /** For those who do not see beside what it stands. */
  readonly label?: string
  readonly fields: readonly FieldOf[]
  /** What is filled in already. */
  readonly values?: Values
  /** Gets what was written as the operation takes it; the dialog closes when it is done. */
  readonly send: (body: Readonly<Record<string, Value>>) => Promise<unknown>
  readonly kind?: 'p' | 'danger' | 'link'
  readonly isSpending?: boolean
  /** What it will do, before the fields. */
  readonly children?: ComponentChildren
}

/** A button that asks what it needs in a dialog: making something, or doing what wants a reason. */
export const Make = ({
  title,
  label,
  submit,
  fields,
  values,
  send,
  kind,
  isSpending,
  children,
}: MakeProps) => {
  const isOpen = useSignal(false)
  const run = async (filled: Readonly<Record<string, string>>) => {
    await send(readFields(fields, filled))
    isOpen.value = false
  }
  return (
    <>
      <button type="button" class={kind} aria-label={label} onClick={() => (isOpen.value = true)}>
        {title}
      </button>
      <Dialog isOpen={isOpen} title={title}>
        {children}
        <Form
          send={run}
          submit={submit}
          {...(kind && kind !== 'link' && { kind })}
          {...(isSpending !== undefined && { isSpending })}
        >
          <Fields fields={fields} {...(values && { values })} />
        </Form>
      </Dialog>
    </>
  )
}
