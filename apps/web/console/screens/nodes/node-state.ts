import type { api } from '../../api.ts'

export type Node = Awaited<ReturnType<typeof api.listNodes>>[number]

export const behindBy = ({ desired_revision, applied_revision }: Node): number =>
  desired_revision - applied_revision

export const isOld = ({ release, newest_release }: Node): boolean =>
  release !== null && newest_release !== null && release !== newest_release

/** What an operator looks for among many. */
export const kinds = {
  troubled: (node: Node) =>
    !node.is_online || node.apply_error !== null || node.engines.some(({ state }) => state !== 'running'),
  behind: (node: Node) => behindBy(node) > 0,
  old: isOld,
  empty: ({ servers }: Node) => servers.length === 0,
} as const satisfies Readonly<Record<string, (node: Node) => boolean>>

export type Kind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as readonly Kind[]
