/** A percentage of all nodes, those of waves before counted in, or the nodes themselves. */
export type WaveWish = number | readonly number[]

/**
 * The nodes of each wave. What is named in one is in no other; what percentages take comes in the order given, and waves that
 * nobody is left for are none.
 */
export const chooseWaves = (wishes: readonly WaveWish[], nodes: readonly number[]): number[][] => {
  const named = new Set(wishes.flatMap((wish) => (typeof wish === 'number' ? [] : wish)))
  const others = nodes.filter((id) => !named.has(id))
  const chosen = new Set<number>()
  const waves = wishes.map((wish) => {
    const wanted = typeof wish === 'number' ? Math.ceil((nodes.length * wish) / 100) - chosen.size : 0
    const free = others.filter((id) => !chosen.has(id)).slice(0, Math.max(wanted, 0))
    const wave = typeof wish === 'number' ? free : wish.filter((id) => !chosen.has(id))
    for (const id of wave) chosen.add(id)
    return wave
  })
  return waves.filter((wave) => wave.length > 0)
}
