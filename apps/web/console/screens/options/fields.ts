import type { Protocol } from '@sallyport/contract/shapes'
import { sayIn } from '../../../lib/language.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** All of them, or it does not compile. */
const protocols: Readonly<Record<Protocol, true>> = {
  vless: true,
  trojan: true,
  'trojan-2901': true,
  outline: true,
  hysteria2: true,
  'vless-2410': true,
  'shadowsocks-2022': true,
  wg: true,
  'amnezia-wg-2': true,
}

/** What a paid option is called and carries: asked for when it is made, and changed later. */

export const wordFields: readonly FieldOf[] = [
  { name: 'title_en', label: say('titleEn'), isRequired: true },
  { name: 'title_ru', label: say('titleRu'), isRequired: true },
  { name: 'caption_en', label: say('captionEn'), hint: say('captionHint'), isRequired: true },
  { name: 'caption_ru', label: say('captionRu'), isRequired: true },
  { name: 'description_en', label: say('descriptionEn'), kind: 'long', isRequired: true },
  { name: 'description_ru', label: say('descriptionRu'), kind: 'long', isRequired: true },
]

export const protocolField: FieldOf = {
  name: 'protocol',
  label: say('protocol'),
  hint: say('protocolHint'),
  kind: 'choice',
  isRequired: true,
  options: Object.keys(protocols).map((one) => [one, one]),
}
