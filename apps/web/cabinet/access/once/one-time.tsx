import { sayIn } from '../../../lib/language.ts'
import { Loaded, Opening } from '../opening.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** For another device, without the account: the rest comes when it is opened. */
export const OneTime = ({ id }: { readonly id: number }) => (
  <Opening title={say('title')}>{() => <Loaded load={() => import('./links.tsx')} props={{ id }} />}</Opening>
)
