import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { sayIn } from '../lib/language.ts'
import { useProblems } from './form.tsx'
import { lineStart, type Place, placeAt, placeOfProblem, type ReadJson, readJson } from './json/text.ts'
import { words } from './json/words.en.ts'
import { langOf } from './problem.tsx'

const say = sayIn(words)

interface JsonEditorProps {
  /** Of the field in the request: what the service says of `name.a.b` stands at the line of `a.b`. */
  readonly name: string
  readonly label: string
  /** What it begins with. Give it a key to begin anew. */
  readonly value: string
  readonly hint?: string
  readonly onInput?: (text: string) => void
}

interface Marked {
  readonly place: Place | undefined
  readonly text: string
  /** In the service's own words. */
  readonly isSaid: boolean
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

interface ProblemsProps {
  readonly id: string
  readonly marked: readonly Marked[]
  readonly onGo: (place: Place) => void
}

const Problems = ({ id, marked, onGo }: ProblemsProps) => (
  <div id={id} class="small" role="status">
    {marked.length === 0 && <p>{say('good')}</p>}
    {marked.map(({ place, text, isSaid }) => (
      <p key={text + place?.line} class="bad" lang={isSaid ? langOf(text) : undefined}>
        {place ? (
          <button type="button" class="link" onClick={() => onGo(place)}>
            {say('at', { line: place.line, column: place.column, text })}
          </button>
        ) : (
          say('whole', { text })
        )}
      </p>
    ))}
  </div>
)

const focusAt = (field: HTMLTextAreaElement, { line, column }: Place): void => {
  const text = field.value
  const at = lineStart(text, line) + column - 1
  field.focus()
  field.setSelectionRange(at, at)
  field.scrollTop = (line - 4) * (field.scrollHeight / text.split('\n').length)
}

interface LineNumbersProps {
  readonly lines: number
  readonly bad: ReadonlySet<number | undefined>
}

const LineNumbers = ({ lines, bad }: LineNumbersProps) =>
  Array.from({ length: lines }, (_, at) => (
    <span key={at} class={bad.has(at + 1) ? 'bad' : undefined}>
      {at + 1}
    </span>
  ))

/** JSON as text, with the numbers of lines. What is wrong with it stands at its line; a text that is no JSON is not sent. */
export const JsonEditor = ({ name, label, value, hint, onInput }: JsonEditorProps) => {
  const id = useId()
  const text = useSignal(value)
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  const refused = useProblems(name)
  const read = useComputed(() => readJson(text.value))
  const { fault } = read.value
  const marked: Marked[] = fault
    ? [{ place: placeAt(text.value, fault.at), text: say(fault.reason), isSaid: false }]
    : refused.map(({ path, problem }) => said(text.value, read.value, inner(path, name), problem))
  useEffect(() => area.current?.setCustomValidity(fault ? say(fault.reason) : ''), [fault])

  const change = (next: string) => {
    text.value = next
    onInput?.(next)
  }
  const go = (place: Place) => area.current && focusAt(area.current, place)
  const lines = text.value.split('\n').length
  const bad = new Set(marked.map(({ place }) => place?.line))
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="json">
        <div ref={numbers} aria-hidden="true">
          <LineNumbers lines={lines} bad={bad} />
        </div>
        <textarea
          id={id}
          ref={area}
          name={name}
          value={text.value}
          rows={Math.min(24, Math.max(8, lines))}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-describedby={`${id}-told`}
          aria-invalid={marked.length > 0}
          onInput={(event) => change(event.currentTarget.value)}
          onScroll={(event) => {
            if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop
          }}
        />
      </div>
      <Problems id={`${id}-told`} marked={marked} onGo={go} />
      {hint !== undefined && <p class="small">{hint}</p>}
      <div class="acts">
        <button type="button" disabled={fault !== undefined} onClick={() => change(ordered(text.value))}>
          {say('format')}
        </button>
      </div>
    </div>
  )
}
