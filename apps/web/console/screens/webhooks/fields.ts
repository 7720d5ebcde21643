import { sayIn } from '../../../lib/language.ts'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { eventOptions } from './events.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export const fields: readonly FieldOf[] = [
  { name: 'url', label: say('url'), hint: say('urlHint'), isRequired: true },
  { name: 'events', label: say('events'), kind: 'several', options: eventOptions },
  { name: 'is_active', label: say('isActive'), hint: say('isActiveHint'), kind: 'check' },
]
