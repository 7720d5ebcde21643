import { UpgradeProblem } from './problem.ts'
import { ProxySwitch } from './proxy-switch.ts'
import { Releases } from './releases.ts'
import { type Place, ports, type Turn, turnOf } from './turn.ts'
import { findPlaces } from './units.ts'

/** The machine that deploy/install.sh has made. */
export interface Machine {
  readonly releases: Releases
  readonly proxy: ProxySwitch
  /** The installer's, so that neither gets in the other's way. */
  readonly lockFile: string
}

export const thisMachine = (): Machine => ({
  releases: new Releases('/opt/sallyport'),
  proxy: new ProxySwitch('/run/sallyport'),
  lockFile: '/run/sallyport-install.lock',
})

export interface Standing extends Turn {
  readonly current: string
  readonly places: readonly Place[]
}

/** What serves, and what is beside it. */
export const standingOf = async ({ releases }: Machine): Promise<Standing> => {
  const current = releases.current()
  if (current === undefined)
    throw new UpgradeProblem(
      'This is for machines that deploy/install.sh has made; there is nothing in /opt/sallyport.',
    )
  const places = await findPlaces((port) => releases.at(port) ?? (port === ports[0] ? current : undefined))
  return { current, places, ...turnOf(current, places) }
}
