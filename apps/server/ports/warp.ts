/** What a WARP registrar knows about an account that it has accepted. */
export interface WarpRegistration {
  /** CIDR addresses inside WARP. */
  readonly addresses: readonly string[]
  readonly peerPublicKey: string
  /** host:port with an IP address, when the registrar names one. */
  readonly endpoint: string | undefined
  /** Three bytes that WARP wants in every packet, or none. */
  readonly reserved: readonly number[]
}

export interface WarpRegistrar {
  /** Makes this WireGuard public key (Base64) known to WARP. */
  register(publicKey: string): Promise<WarpRegistration>
}
