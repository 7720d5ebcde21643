import { sayIn } from '../../../lib/language.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

export const wordFields: readonly FieldOf[] = [
  { name: 'title_en', label: say('titleEn'), isRequired: true },
  { name: 'title_ru', label: say('titleRu'), isRequired: true },
  {
    name: 'description_en',
    label: say('descriptionEn'),
    hint: say('descriptionHint'),
    kind: 'long',
    isRequired: true,
  },
  { name: 'description_ru', label: say('descriptionRu'), kind: 'long', isRequired: true },
]
