/** Options of a connection, and what they do to each other. */
export const words = {
  use_extended_settings: 'Extended settings',
  use_extended_settings_text: 'A process of your own on the server. Most of the settings below need it.',
  use_xhttp: 'XHTTP transport',
  use_xhttp_text: 'The connection looks like loading a site. Try it when the usual one keeps breaking.',
  use_grpc: 'gRPC transport',
  use_grpc_text: 'Another way to pass data: helps in some networks. Not every app has it.',
  use_warp: 'Go out through WARP',
  use_warp_text:
    'Sites see an address of Cloudflare, not of our server. Helps when a site does not let you in.',
  enable_family_filter: 'Family filter',
  enable_family_filter_text: 'Sites for adults and dangerous sites do not open.',
  block_bittorrent: 'No torrents',
  block_bittorrent_text: 'Torrents do not work through this connection.',
  block_local_network: 'Close the local network',
  block_local_network_text: 'Through the VPN nothing inside the server’s own network can be reached.',
  change_sni: 'Another cover site',
  change_sni_text:
    'The connection looks like another site. Try it when the usual one is blocked where you are.',
  disable_sni: 'No site name',
  disable_sni_text: 'The connection names no site at all. Helps where names are checked.',
  disable_reality: 'Plain TLS',
  disable_reality_text:
    'With the server’s own certificate, without disguise: for apps that do not know REALITY.',
  disable_flow_reality: 'Without Vision',
  disable_flow_reality_text: 'For older apps that do not know Vision. A little slower.',
  pass_all_traffic_through_vpn: 'Everything through the VPN',
  pass_all_traffic_through_vpn_text:
    'Sites of this country go through the VPN too; usually they open directly.',
  notProtocol: 'Does not work with the protocol you chose.',
  notLocation: 'Not needed in the location you chose: there everything goes through the VPN anyway.',
  added: '“{names}” is on too: “{name}” does not work without it.',
  dropped: 'Switched off: {names}. It does not work together with “{name}”.',
  droppedWithout: 'Switched off: {names}. It does not work without “{name}”.',
  droppedHere: 'Switched off: {names}. It does not work in the new place',
} as const
