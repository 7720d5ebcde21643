import { Badge } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import type { ListedUpgrade, NodeOf, Wave } from './upgrade-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = { running: 'warn', waiting: 'warn', stopped: 'bad', done: 'good' } as const
const nodeTones = {
  waiting: 'dim',
  told: 'warn',
  upgrading: 'warn',
  done: 'good',
  ill: 'bad',
  skipped: 'dim',
} as const

export const UpgradeBadge = ({ state }: Pick<ListedUpgrade, 'state'>) => (
  <Badge tone={tones[state]}>{say(`is_${state}`)}</Badge>
)

export const NodeBadge = ({ state }: Pick<NodeOf, 'state'>) => (
  <Badge tone={nodeTones[state]}>{say(`node_${state}`)}</Badge>
)

/** What it brings nodes to, in a few letters. */
export const goalOf = ({ release, back_of }: Pick<ListedUpgrade, 'release' | 'back_of'>): string =>
  back_of === null
    ? say('toRelease', { release: release?.slice(0, 8) ?? '–' })
    : say('backOf', { id: `${back_of}` })

/** How many have come to their end, one way or another. */
export const overIn = ({ done, ill, skipped }: Wave): number => done + ill + skipped

/** Somebody is at it, or will be. */
export const isMoving = ({ state, waves }: ListedUpgrade): boolean =>
  state === 'running' || waves.some(({ told, upgrading }) => told + upgrading > 0)
