/** Ports as the kernel writes them: "10000-29999,35000". */

const lastPort = 65_535

export const parsePorts = (text: string): Set<number> => {
  const ports = new Set<number>()
  for (const part of text.trim().split(',')) {
    const [, from, to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? []
    if (from === undefined) continue
    for (let port = Number(from); port <= Math.min(Number(to), lastPort); port += 1) ports.add(port)
  }
  return ports
}

export const formatPorts = (ports: Iterable<number>): string => {
  const ranges: [number, number][] = []
  for (const port of [...ports].sort((left, right) => left - right)) {
    const last = ranges.at(-1)
    if (last && port === last[1] + 1) last[1] = port
    else ranges.push([port, port])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** Pieces of a list that are no longer than this, none of them empty. */
export const splitPorts = (list: string, longest: number): string[] => {
  const pieces: string[] = []
  for (const range of list.split(',')) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + 1 + range.length <= longest)
      pieces[pieces.length - 1] = `${last},${range}`
    else pieces.push(range)
  }
  return pieces
}
