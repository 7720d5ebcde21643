import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'

export type UpgradeRow = DataOf<RowsFor<'operator'>['showAgentUpgrade']>
export type ListedUpgrade = DataOf<RowsFor<'operator'>['listAgentUpgrades']>[number]
export type Wave = UpgradeRow['waves'][number]
export type NodeOf = UpgradeRow['nodes'][number]
