/** Addresses that never leave the customer's own network, and so need no tunnel. */
export const localNetworks = {
  v4: [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '224.0.0.0/4',
    '255.255.255.255/32',
  ],
  v6: ['::1/128', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
} as const
