import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { sayIn } from '../../lib/language.ts'
import { langOf } from '../problem.tsx'
import { lineStart, type Place } from './text.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** A text with the numbers of its lines, and what is wrong with it at its line. */

export interface Marked {
  readonly place: Place | undefined
  readonly text: string
  /** In the service's own words. */
  readonly isSaid: boolean
}

interface ProblemsProps {
  readonly id: string
  readonly marked: readonly Marked[]
  readonly good: string | undefined
  readonly onGo: (place: Place) => void
}

const Problems = ({ id, marked, good, onGo }: ProblemsProps) => (
  <div id={id} class="small" role="status">
    {marked.length === 0 && good !== undefined && <p>{good}</p>}
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

interface LinesEditorProps {
  readonly name: string
  readonly label: string
  readonly text: string
  readonly onInput: (text: string) => void
  readonly marked: readonly Marked[]
  /** Said where nothing is wrong. */
  readonly good?: string
  /** Why it may not be sent as it is. */
  readonly fault?: string | undefined
  readonly hint?: string | undefined
  /** Buttons beneath. */
  readonly children?: ComponentChildren
}

export const LinesEditor = ({
  name,
  label,
  text,
  onInput,
  marked,
  good,
  fault = '',
  hint,
  children,
}: LinesEditorProps) => {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  useEffect(() => area.current?.setCustomValidity(fault), [fault])
  const go = (place: Place) => area.current && focusAt(area.current, place)
  const lines = text.split('\n').length
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
          value={text}
          rows={Math.min(24, Math.max(8, lines))}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          aria-describedby={`${id}-told`}
          aria-invalid={marked.length > 0}
          onInput={(event) => onInput(event.currentTarget.value)}
          onScroll={(event) => {
            if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop
          }}
        />
      </div>
      <Problems id={`${id}-told`} marked={marked} good={good} onGo={go} />
      {hint !== undefined && <p class="small">{hint}</p>}
      {children}
    </div>
  )
}
