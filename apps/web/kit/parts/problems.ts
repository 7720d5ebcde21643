import { sentences } from '../problem.tsx'
import { say } from './say.ts'

/** What buying and changing may meet. */
Object.assign(sentences, {
  20: () => say('noMoney'),
  21: () => say('badCode'),
  22: () => say('noServer'),
  23: () => say('noMethod'),
})
