import { Card } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import type { OptionProps } from './option-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** How the shop describes it, in both languages. */
export const Preview = ({ option }: Pick<OptionProps, 'option'>) => (
  <Card title={say('preview')}>
    {(['en', 'ru'] as const).map((language) => (
      <div key={language} class="preview" lang={language}>
        <h3>{option[`title_${language}`]}</h3>
        <p>
          <b>{option[`caption_${language}`]}</b>
        </p>
        <p>{option[`description_${language}`]}</p>
      </div>
    ))}
  </Card>
)
