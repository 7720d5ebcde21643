import { sayIn } from '../../../lib/language.ts'
import type { api } from '../../api.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export type Machine = Awaited<ReturnType<typeof api.listMachines>>[number]

export const states = ['needs_attention', 'ordered', 'purchased', 'active', 'leaving', 'gone'] as const
export type State = (typeof states)[number]

/** Where it is on its way, in the words of the filter. */
export const stateOf = ({ status, wanted, gone_at }: Machine): Exclude<State, 'needs_attention'> | 'off' => {
  if (gone_at !== null) return 'gone'
  if (wanted === 'gone') return 'leaving'
  return wanted === 'off' ? 'off' : status
}

/** What a person finds has no type at a provider. */
export const takesAddress = ({ wanted, status, gone_at, cloud_id, machine_type }: Machine): boolean =>
  wanted === 'on' && status !== 'active' && gone_at === null && cloud_id !== null && !machine_type

/** Something is to be done about it, so that it helps to look now. */
export const isWaiting = ({ gone_at, status, wanted, problem }: Machine): boolean =>
  gone_at === null && (problem !== null || status !== 'active' || wanted !== 'on')

/** The one that an operator meets every day, in their language. */
export const told = (problem: string): { readonly text: string; readonly lang?: 'en' } =>
  problem === 'waits for its address' ? { text: say('waitsForAddress') } : { text: problem, lang: 'en' }
