import { networkInterfaces } from 'node:os'

/** Every address that this machine has at the moment. */
export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
