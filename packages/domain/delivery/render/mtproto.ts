import type { MtprotoEndpoint } from '../../vpn/endpoint.ts'
import { queryOf } from './url-parts.ts'

export const mtprotoLink = ({ host, port, secret }: MtprotoEndpoint): string =>
  `tg://proxy?${queryOf([
    ['server', host],
    ['port', String(port)],
    ['secret', secret],
  ])}`
