import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Whether those who approve a withdrawal are two people: not when one of them could have come as the other. */

/** After that, whoever was let in has had the time to read the letter about it. */
const noticeSeconds = 86_400

export interface Approver {
  readonly operatorId: number
  /** Who made the token that they came with; null when there is none, or it is not known. */
  readonly tokenMadeBy: number | null
  readonly now: number
}

/** Others who approved it and may still, and whether one of the two could have come as the other. */
export const listOtherApprovals = async (
  tx: Db,
  withdrawalId: number,
  { operatorId, tokenMadeBy, now }: Approver,
): Promise<{ readonly could_be_same: boolean }[]> => {
  const { rows } = await sql<{ could_be_same: boolean }>`
    select coalesce(a.token_made_by = ${operatorId}::bigint, false)
      or coalesce(a.operator_id = ${tokenMadeBy}::bigint, false)
      or exists (select from operator_let_ins l
        where l.operator_id = ${operatorId}::bigint and l.let_in_by = a.operator_id
          and l.made_at > ${now - noticeSeconds}::bigint)
      or exists (select from operator_let_ins l
        where l.operator_id = a.operator_id and l.let_in_by = ${operatorId}::bigint
          and l.made_at > a.created_at - ${noticeSeconds}::bigint) as could_be_same
    from withdrawal_approvals a join operators o on o.id = a.operator_id
    -- Who may not any more no longer counts.
    where a.withdrawal_id = ${withdrawalId}::bigint and a.operator_id <> ${operatorId}::bigint
      and o.revoked_at is null and o.role in ('owner', 'finance')`.execute(tx)
  return rows
}
