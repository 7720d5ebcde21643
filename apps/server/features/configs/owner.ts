import type { ProductOwner } from '../../core/vpn/access/reads.ts'

/** Whose configurations are meant here: those that this customer bought alone. */
export const ownerOf = (userId: number): ProductOwner => ({ userId, product: 'configs' })
