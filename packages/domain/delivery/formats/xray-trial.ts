import type { Json, JsonObject } from '../../text/strict-json.ts'
import type { ShadowsocksEndpoint } from '../../vpn/endpoint.ts'
import { isObject } from '../templates/checks/problem.ts'
import { xrayConfigs } from './xray.ts'

/** Stands for whatever the customer has. */
const sample: ShadowsocksEndpoint = {
  protocol: 'shadowsocks',
  title: 'sample',
  host: '192.0.2.1',
  port: 443,
  method: 'chacha20-ietf-poly1305',
  password: 'sample',
  isOutline: false,
}

/** Each a name of its own, for in DNS they are names of members. */
const standIn = (list: string): string => {
  const match = /^(geoip|geosite):(?=.)/.exec(list)
  if (match === null) return list
  return match[1] === 'geoip' ? '192.0.2.0/24' : `domain:${Buffer.from(list).toString('hex')}.example`
}

/** Several may stand in one text. */
const standIns = (text: string): string =>
  text.includes('geo') ? text.split(',').map(standIn).join(',') : text

/** Lists of countries and sites come with the app, and need not be where the config is tried. */
const withoutGeodata = (value: Json): Json => {
  if (typeof value === 'string') return standIns(value)
  if (Array.isArray(value)) return value.map(withoutGeodata)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [standIn(name), withoutGeodata(member)]),
  )
}

/** What a template becomes in each of its forms, for the engine to read before the template is kept. */
export const trialConfigs = (template: JsonObject): string[] => {
  const shown = withoutGeodata(template) as JsonObject
  const [inList] = JSON.parse(xrayConfigs([sample], shown, 'list', 'en')) as object[]
  return [JSON.stringify(inList), xrayConfigs([sample], shown, 'single', 'en')]
}
