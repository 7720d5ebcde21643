import type { NodeKind } from '@sallyport/contract/operator/fleet/nodes'

/** What an operator looks for among many machines. */

export interface SeenNode {
  readonly is_online: boolean
  readonly desired_revision: number
  readonly applied_revision: number
  readonly apply_error: string | null
  readonly engines: readonly { readonly state: string }[]
  readonly servers: readonly unknown[]
  readonly release: string | null
  readonly newest_release: string | null
}

export const behindBy = ({ desired_revision, applied_revision }: SeenNode): number =>
  desired_revision - applied_revision

export const isOld = ({ release, newest_release }: SeenNode): boolean =>
  release !== null && newest_release !== null && release !== newest_release

export const nodeKinds = {
  troubled: (node: SeenNode) =>
    !node.is_online || node.apply_error !== null || node.engines.some(({ state }) => state !== 'running'),
  behind: (node: SeenNode) => behindBy(node) > 0,
  old: isOld,
  empty: ({ servers }: SeenNode) => servers.length === 0,
} as const satisfies Readonly<Record<NodeKind, (node: SeenNode) => boolean>>
