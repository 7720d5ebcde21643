import { useComputed, useSignal } from '@preact/signals'
import { sayIn } from '../lib/language.ts'
import { useProblems } from './form.tsx'
import { LinesEditor, type Marked } from './json/lines-editor.tsx'
import { placeAt, placeOfProblem, type ReadJson, readJson } from './json/text.ts'
import { words } from './json/words.en.ts'

const say = sayIn(words)

interface JsonEditorProps {
  /** Of the field in the request: what the service says of `name.a.b` stands at the line of `a.b`. */
  readonly name: string
  readonly label: string
  /** What it begins with. Give it a key to begin anew. */
  readonly value: string
  readonly hint?: string
  readonly onInput?: (text: string) => void
  /** Nothing written means that there is none. */
  readonly isOptional?: boolean
}

const inner = (path: string, name: string): string => path.slice(name.length).replace(/^\./, '')

const said = (text: string, read: ReadJson, path: string, problem: string): Marked => {
  const words = problem.replace(/ \(line \d+, column \d+\)$/, '')
  // Where it stands elsewhere than it is, its name tells what is meant.
  const isThere = path === '' || read.starts.has(path)
  return {
    place: placeOfProblem(text, read, { path, problem }),
    text: isThere ? words : `${path}: ${words}`,
    isSaid: true,
  }
}

/** Loose text is put in order as the service writes it; what is not JSON stays as it is. */
const ordered = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** JSON as text, with the numbers of lines. What is wrong with it stands at its line; a text that is no JSON is not sent. */
export const JsonEditor = ({ name, label, value, hint, onInput, isOptional = false }: JsonEditorProps) => {
  const text = useSignal(value)
  const refused = useProblems(name)
  const read = useComputed(() => readJson(text.value))
  const isNothing = isOptional && text.value.trim() === ''
  const fault = isNothing ? undefined : read.value.fault
  const marked: Marked[] = fault
    ? [{ place: placeAt(text.value, fault.at), text: say(fault.reason), isSaid: false }]
    : refused.map(({ path, problem }) => said(text.value, read.value, inner(path, name), problem))
  const change = (next: string) => {
    text.value = next
    onInput?.(next)
  }
  return (
    <LinesEditor
      name={name}
      label={label}
      text={text.value}
      onInput={change}
      marked={marked}
      {...(!isNothing && { good: say('good') })}
      fault={fault && say(fault.reason)}
      hint={hint}
    >
      <div class="acts">
        <button
          type="button"
          disabled={isNothing || fault !== undefined}
          onClick={() => change(ordered(text.value))}
        >
          {say('format')}
        </button>
      </div>
    </LinesEditor>
  )
}
