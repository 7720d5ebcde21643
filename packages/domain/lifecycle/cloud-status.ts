import type { CloudStatus } from '@sallyport/contract/customer/cloud-servers/shapes'

/** A cloud server's life: status to the statuses that may follow. */
export const cloudTransitions = {
  ordered: ['purchased'],
  // A machine that never calls home is given back, and another is looked for.
  purchased: ['active', 'ordered'],
  // One that vanished at its provider is made anew.
  active: ['ordered'],
} as const satisfies Record<CloudStatus, readonly CloudStatus[]>

export const canMoveCloud = (from: CloudStatus, to: CloudStatus): boolean =>
  (cloudTransitions[from] as readonly string[]).includes(to)

export const moveCloud = (from: CloudStatus, to: CloudStatus): CloudStatus => {
  if (!canMoveCloud(from, to)) throw new Error(`A cloud server cannot go from ${from} to ${to}`)
  return to
}
