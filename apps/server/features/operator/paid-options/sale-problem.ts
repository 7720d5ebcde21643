import type { OptionRow } from './queries.ts'

/** What keeps an option from being sold, besides being off sale: it is sold while all its servers sell. */
export const optionProblem = (
  { servers, shut }: Pick<OptionRow, 'servers' | 'shut'>,
  tariffs: readonly { readonly problem: string | null }[],
): string | null => {
  const because = (reason: string) => `cannot be sold, because ${reason}`
  if (servers.length === 0) return because('it has no servers')
  if (shut.length > 0) {
    const [noun, verb] = shut.length === 1 ? ['server', 'takes'] : ['servers', 'take']
    const named = shut.map(({ server_id: id, state }) => `${id} (${state})`).join(', ')
    return because(`its ${noun} ${named} ${verb} no new customers`)
  }
  if (tariffs.length === 0) return because('it has no tariffs')
  return tariffs.every(({ problem }) => problem !== null)
    ? because('none of its tariffs can be paid for now; see GET /payment-methods')
    : null
}
