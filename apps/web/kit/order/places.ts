/** Where rows of a list go when they are put in order. */

/** One taken out and put in at another place; what is out of bounds goes to the end that is near. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
  const place = Math.min(list.length - 1, Math.max(0, to))
  const one = list[from]
  if (one === undefined || place === from) return list
  const rest = list.filter((_, at) => at !== from)
  return [...rest.slice(0, place), one, ...rest.slice(place)]
}

/** Where something let go of would land: as many are before it as have their middle above it. */
export const placeFor = (middles: readonly number[], from: number, y: number): number =>
  middles.filter((middle, at) => at !== from && middle < y).length
