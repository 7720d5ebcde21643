import { cloudStatuses } from '@sallyport/contract/customer/cloud-servers/shapes'
import { describe, expect, test } from 'vitest'
import { canMoveCloud, moveCloud } from './cloud-status.ts'

const allowed = new Set(['ordered purchased', 'purchased active', 'purchased ordered', 'active ordered'])

describe('the status of a cloud server', () => {
  const pairs = cloudStatuses.flatMap((from) => cloudStatuses.map((to) => [from, to] as const))
  test.each(pairs)('from %s to %s', (from, to) => {
    const may = allowed.has(`${from} ${to}`)
    expect(canMoveCloud(from, to)).toBe(may)
    if (may) expect(moveCloud(from, to)).toBe(to)
    else expect(() => moveCloud(from, to)).toThrow(`cannot go from ${from} to ${to}`)
  })
})
