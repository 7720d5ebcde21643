import type { OperationName } from '@sallyport/contract/tables'
import type { Db } from '../db/client.ts'

/** Runs an operation as an operator and answers what it answers. */
export type Operate = <T = unknown>(
  name: OperationName,
  input?: { readonly params?: Readonly<Record<string, unknown>>; readonly body?: object },
) => Promise<T>

/** All within one transaction: whoever is killed in between leaves nothing half-done. */
export type OperateWithin = (tx: Db, operatorId: number) => Operate
