import { useSignal } from '@preact/signals'
import { useProblems } from '../../../kit/form.tsx'
import { LinesEditor, type Marked } from '../../../kit/json/lines-editor.tsx'
import { placeInYaml } from './yaml-places.ts'

interface YamlEditorProps {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly hint?: string
}

/** YAML as text. Only the service reads it; what it says stands at its line. */
export const YamlEditor = ({ name, label, value, hint }: YamlEditorProps) => {
  const text = useSignal(value)
  const marked = useProblems(name).map(
    ({ problem }): Marked => ({
      place: placeInYaml(text.value, problem),
      text: problem.replace(/ at line \d+, column \d+:?/, ''),
      isSaid: true,
    }),
  )
  return (
    <LinesEditor
      name={name}
      label={label}
      text={text.value}
      onInput={(next) => {
        text.value = next
      }}
      marked={marked}
      hint={hint}
    />
  )
}
