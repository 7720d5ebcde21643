import { useSignal } from '@preact/signals'
import { Act } from '../../../../kit/act.tsx'
import { api } from '../../../../lib/api.ts'
import { sayIn } from '../../../../lib/language.ts'
import { furtherConfigs } from '../rest.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** The next ones, while answers are full. */
export const MoreConfigs = ({ pageSize }: { readonly pageSize: number }) => {
  const isWhole = useSignal(false)
  const load = async () => {
    const offset = pageSize + furtherConfigs.value.length
    const next = await api.listConfigs({ query: { limit: pageSize, offset } })
    furtherConfigs.value = [...furtherConfigs.value, ...next]
    isWhole.value = next.length < pageSize
  }
  return isWhole.value ? null : <Act run={load}>{say('more')}</Act>
}
