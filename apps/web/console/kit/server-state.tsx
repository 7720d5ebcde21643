import { Badge } from '../../kit/look.tsx'
import { sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export const serverStates = ['selling', 'closed', 'draining', 'retired'] as const
export type ServerState = (typeof serverStates)[number]

const tones = { selling: 'good', closed: 'warn', draining: 'warn', retired: 'dim' } as const

export const serverStateTitle = (state: ServerState): string => say(`server_${state}`)

export const ServerBadge = ({ state }: { readonly state: ServerState }) => (
  <Badge tone={tones[state]}>{serverStateTitle(state)}</Badge>
)
