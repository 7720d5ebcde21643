/** Options of a connection, and what they do to each other. */
export const words = {
  use_extended_settings: 'Extended settings',
  use_extended_settings_text:
    'Runs a separate process just for you on the server. Most of the settings below need it.',
  use_xhttp: 'XHTTP transport',
  use_xhttp_text: 'The connection looks like loading a website. Try it when the usual one keeps dropping.',
  use_grpc: 'gRPC transport',
  use_grpc_text: 'Another transport: helps on some networks. Not every app supports it.',
  use_warp: 'Exit through WARP',
  use_warp_text: 'Websites see a Cloudflare address instead of our server’s. Helps when a site blocks you.',
  enable_family_filter: 'Family filter',
  enable_family_filter_text: 'Adult and dangerous websites do not open.',
  block_bittorrent: 'No torrents',
  block_bittorrent_text: 'Torrents do not work through this connection.',
  block_local_network: 'Close the local network',
  block_local_network_text: 'The server’s own internal network cannot be reached through the VPN.',
  change_sni: 'Another cover site',
  change_sni_text:
    'The connection looks like another website. Try it when the usual one is blocked where you are.',
  disable_sni: 'No site name',
  disable_sni_text: 'The connection names no website at all. Helps where names are checked.',
  disable_reality: 'Plain TLS',
  disable_reality_text:
    'With the server’s own certificate, without disguise: for apps that do not support REALITY.',
  disable_flow_reality: 'Without Vision',
  disable_flow_reality_text: 'For older apps that do not support Vision. A little slower.',
  pass_all_traffic_through_vpn: 'All traffic through the VPN',
  pass_all_traffic_through_vpn_text:
    'Websites of this country go through the VPN too; usually they open directly.',
  notProtocol: 'Does not work with the protocol you chose.',
  notLocation: 'Not needed in the country you chose: all traffic goes through the VPN there anyway.',
  added: '“{names}” is on too: “{name}” does not work without it.',
  dropped: 'Turned off: {names}. It does not work together with “{name}”.',
  droppedWithout: 'Turned off: {names}. It does not work without “{name}”.',
  droppedHere: 'Turned off: {names}. It does not work in the new place',
} as const
