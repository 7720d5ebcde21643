const label = /^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/
const longest = 253

/** Why this is no DNS host name; undefined when it is one. */
export const hostnameProblem = (name: string): string | undefined => {
  if (name.length > longest) return `has more than ${longest} characters`
  const labels = name.split('.')
  if (!labels.every((part) => label.test(part))) {
    return 'must be a host name: letters, digits and hyphens, in parts of at most 63 that neither begin nor end with a hyphen'
  }
  // All digits would be read as an address.
  return /^\d+$/.test(labels.at(-1) as string) ? 'must not end with a number' : undefined
}
