import { sayIn } from '../../../lib/language.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const titles: readonly FieldOf[] = [
  { name: 'code', label: say('code'), hint: say('codeHint'), isRequired: true },
  { name: 'title_en', label: say('titleEn'), isRequired: true },
  { name: 'title_ru', label: say('titleRu'), isRequired: true },
]

const rest: readonly FieldOf[] = [
  { name: 'caption_en', label: say('captionEn'), hint: say('captionHint') },
  { name: 'caption_ru', label: say('captionRu') },
  { name: 'description_en', label: say('descriptionEn'), kind: 'long' },
  { name: 'description_ru', label: say('descriptionRu'), kind: 'long' },
  { name: 'ping_ip', label: say('ping'), hint: say('pingHint'), isNullable: true },
  { name: 'home_domains', label: say('domains'), hint: say('domainsHint'), kind: 'lines' },
  { name: 'home_networks', label: say('networks'), hint: say('networksHint'), kind: 'lines' },
]

export const changedFields: readonly FieldOf[] = [...titles, ...rest]

export const newFields: readonly FieldOf[] = [
  ...changedFields,
  { name: 'id', label: say('number'), hint: say('numberHint'), kind: 'number' },
  { name: 'is_active', label: say('offered'), hint: say('offeredHint'), kind: 'check' },
]
