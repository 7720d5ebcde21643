import { privateNetworks } from '@sallyport/domain/vpn/private-networks'

/** Rules that keep customers' tunnels to the internet and away from this machine and from each other. */

/** All customers of a node have addresses in here. */
export const tunnelNetwork = '100.64.0.0/10'
/** The node's own end of every tunnel. */
export const nodeAddress = '100.64.0.1'

export interface NftOptions {
  readonly table: string
  /** What the names of our interfaces begin with. */
  readonly prefix: string
  readonly allowPrivateTargets: boolean
}

const forbiddenTargets = (allowPrivateTargets: boolean): string => {
  const networks = privateNetworks.filter((network) => !network.includes(':'))
  return allowPrivateTargets ? tunnelNetwork : `{ ${networks.join(', ')} }`
}

/** Said at once, so that a customer's program does not wait for an answer that never comes. */
const refused = 'reject with icmpx admin-prohibited'

/** Takes the table away, whether or not it is there: declaring an existing table changes nothing. */
export const nftRemoval = (table: string): string => `table inet ${table}\ndelete table inet ${table}\n`

/** One transaction: there is no moment without rules, or with half of them. */
export const nftRuleset = ({ table, prefix, allowPrivateTargets }: NftOptions): string => {
  const ours = `"${prefix}*"`
  return `${nftRemoval(table)}table inet ${table} {
  chain guard {
    type filter hook prerouting priority raw; policy accept;
    iifname ${ours} meta nfproto ipv6 drop
    iifname ${ours} ip saddr != ${tunnelNetwork} drop
  }
  chain input {
    type filter hook input priority filter; policy accept;
    iifname ${ours} ip daddr ${nodeAddress} icmp type echo-request accept
    iifname ${ours} ${refused}
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    iifname ${ours} ip daddr ${forbiddenTargets(allowPrivateTargets)} ${refused}
    oifname ${ours} ct state new drop
    iifname ${ours} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
    oifname ${ours} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${tunnelNetwork} oifname != ${ours} masquerade
  }
}
`
}
