import { CloudRefusal, type MachineMarks, type MachineWish } from '../../ports/clouds.ts'

/** What has the same form at every provider. */

/**
 * Labels and tags take these, whatever the provider, and a tag that is made of several parts can be taken apart again.
 * No capitals: DigitalOcean takes the same word in other capitals for the same tag.
 */
const installationPattern = /^(?!.*-(?:order|attempt)-)[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/
const numberPattern = /^[1-9]\d{0,14}$/
const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
export const refPattern = /^[1-9]\d{0,18}$/

export const checkInstallation = (installation: string): void => {
  if (installationPattern.test(installation)) return
  throw new CloudRefusal('invalid', 'an installation is called by 1 to 40 small letters, digits and dashes')
}

const isCount = (value: number): boolean => numberPattern.test(String(value))

/** What no provider would take is refused before anybody is asked. */
export const checkWish = ({ name, marks, userData }: MachineWish, maxUserDataBytes: number): void => {
  checkInstallation(marks.installation)
  if (!namePattern.test(name)) {
    throw new CloudRefusal('invalid', 'a machine is called by 1 to 63 small letters, digits and dashes')
  }
  if (!isCount(marks.order) || !isCount(marks.attempt)) {
    throw new CloudRefusal('invalid', 'orders and attempts are counted from 1')
  }
  const bytes = Buffer.byteLength(userData)
  if (bytes > maxUserDataBytes) {
    throw new CloudRefusal(
      'invalid',
      `user data of ${bytes} bytes, and at most ${maxUserDataBytes} are taken`,
    )
  }
}

/** Null when any part is missing or is not of our making. */
export const readMarks = (
  installation: string | undefined,
  order: string | undefined,
  attempt: string | undefined,
): MachineMarks | null => {
  if (installation === undefined || !installationPattern.test(installation)) return null
  if (!numberPattern.test(order ?? '') || !numberPattern.test(attempt ?? '')) return null
  return { installation, order: Number(order), attempt: Number(attempt) }
}
