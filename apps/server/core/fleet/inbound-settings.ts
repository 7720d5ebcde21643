/** What a link on a server's inbound says beyond address and port; stored as inbounds.settings. */
export interface InboundSettings {
  /** REALITY and WireGuard. */
  readonly public_key?: string
  readonly short_id?: string
  readonly server_name?: string
  /** Of servers from before there were sites. */
  readonly target?: string
  /** Name and pin of the server's certificate. */
  readonly tls_name?: string
  readonly tls_pin?: string | null
}

/** What agents and personal instances need to know besides; stored as inbounds.sites. */
export interface InboundSites {
  readonly server_name?: string
  readonly target?: string
  readonly other_server_name?: string
  readonly other_target?: string
  readonly tls_name?: string
  readonly tls_pin?: string | null
}
