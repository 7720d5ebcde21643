/** What is built from Go modules, at exact versions. */

export type Engine = {
  name: string
  module: string
  version: string
  /** The package within the module that is the program; empty when it is the module itself. */
  program: string
  versionArgs: string[]
  prints: RegExp
  /** Prints the same number whatever was built: the version is kept in a file beside the program. */
  hidesVersion?: boolean
  tags?: string
  linkerFlags?: string
}

export const engines: Engine[] = [
  {
    name: 'xray',
    module: 'github.com/xtls/xray-core',
    version: 'v1.260327.0',
    program: '/main',
    versionArgs: ['version'],
    prints: /^Xray 26\.3\.27\b/,
  },
  {
    name: 'amneziawg-go',
    module: 'github.com/amnezia-vpn/amneziawg-go',
    version: 'v0.2.19',
    program: '',
    versionArgs: ['--version'],
    prints: /^amneziawg-go \d/,
    hidesVersion: true,
  },
  {
    name: 'mtg',
    module: 'github.com/9seconds/mtg/v2',
    version: 'v2.2.8',
    program: '',
    versionArgs: ['--version'],
    prints: /^2\.2\.8\b/,
    linkerFlags: '-X main.version=2.2.8',
  },
]

/** Clients that the tests use; a node does not need them. What takes longest comes first. */
export const testEngines: Engine[] = [
  {
    name: 'mihomo',
    module: 'github.com/metacubex/mihomo',
    version: 'v1.19.30',
    program: '',
    versionArgs: ['-v'],
    prints: /^Mihomo Meta 1\.19\.30\b/,
    tags: 'with_gvisor',
    linkerFlags: '-X github.com/metacubex/mihomo/constant.Version=1.19.30',
  },
  {
    name: 'sing-box',
    module: 'github.com/sagernet/sing-box',
    version: 'v1.13.2',
    program: '/cmd/sing-box',
    versionArgs: ['version'],
    prints: /^sing-box version 1\.13\.2\b/,
    tags: 'with_quic,with_utls,with_gvisor,with_wireguard,with_clash_api,badlinkname,tfogo_checklinkname0',
    linkerFlags: '-checklinkname=0 -X github.com/sagernet/sing-box/constant.Version=1.13.2',
  },
  {
    // What apps that stayed with it are given, no newer one reads.
    name: 'sing-box-1.11',
    module: 'github.com/sagernet/sing-box',
    version: 'v1.11.15',
    program: '/cmd/sing-box',
    versionArgs: ['version'],
    prints: /^sing-box version 1\.11\.15\b/,
    tags: 'with_quic,with_utls,with_gvisor,with_wireguard,with_clash_api,with_reality_server,badlinkname,tfogo_checklinkname0',
    linkerFlags: '-checklinkname=0 -X github.com/sagernet/sing-box/constant.Version=1.11.15',
  },
  {
    // A certificate authority to try installations against.
    name: 'pebble',
    module: 'github.com/letsencrypt/pebble/v2',
    version: 'v2.8.0',
    program: '/cmd/pebble',
    versionArgs: ['-version'],
    prints: /^Pebble version: 2\.8\.0$/m,
    linkerFlags: '-X main.version=2.8.0',
  },
]
