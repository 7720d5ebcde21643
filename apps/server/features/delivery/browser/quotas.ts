import type { Db } from '../../../db/client.ts'
import { GatheredRows } from '../../../db/reads/gathered.ts'
import { listQuotas, type QuotaRow, type SubscriptionOwner } from '../queries.ts'

/** How much options have carried and may carry, for pages: it changes without the revision. Those of one turn are one read. */
export class QuotaReader {
  readonly #rows: GatheredRows<readonly number[], QuotaRow>

  constructor(db: Db) {
    this.#rows = new GatheredRows((asked) =>
      listQuotas(
        db,
        asked.flat(),
        asked.flatMap((terms, at) => terms.map(() => at + 1)),
      ),
    )
  }

  async of({ options }: Pick<SubscriptionOwner, 'options'>): Promise<readonly QuotaRow[]> {
    return options.length === 0 ? [] : this.#rows.of(options.map(({ term_id }) => term_id))
  }
}
