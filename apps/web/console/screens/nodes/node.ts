import type { api } from '../../api.ts'

export type Node = Awaited<ReturnType<typeof api.listNodes>>[number]
