import { globalLimit } from '../operation.ts'
import type { Audience } from '../tables.ts'

/** How the OpenAPI document of each audience introduces itself. */
export interface ApiInfo {
  readonly title: string
  readonly summary: string
  readonly description: string
}

const envelope =
  'Every answer is in one envelope. Success: `status` true, `statusCode` and `data`. Failure: `status` false, `statusCode`, `errorCode`, `message` and sometimes `details`.'
const unknownFields = 'Fields an operation does not know are refused.'
const values = `Times are Unix seconds. Amounts are in the smallest unit the currency is sold in (roubles for RUB). ${unknownFields}`

export const apis: Readonly<Record<Audience, ApiInfo>> = {
  customer: {
    title: 'Sallyport API',
    summary: 'VPN subscriptions: buy, renew and configure',
    description: `${envelope}

${values}

Limits are counted per account, whatever the key. Operations in the bucket \`global\` share ${globalLimit.points} requests per ${globalLimit.seconds} s; the others have a bucket each (see x-rate-limit).`,
  },
  operator: {
    title: 'Sallyport operator API',
    summary: 'Customers, payments, payouts, nodes and settings',
    description: `${envelope}

${values}

Operators are not limited; wrong tokens are, by address. x-roles names who may call. Every change is kept in the audit log.`,
  },
  agent: {
    title: 'Sallyport agent API',
    summary: 'Between the service and the agent on a VPN server',
    description: `${envelope}

Times are Unix seconds. ${unknownFields}

An agent enrols once, then asks for the state it should have and reports what it has. Repeating a request is harmless.`,
  },
}
