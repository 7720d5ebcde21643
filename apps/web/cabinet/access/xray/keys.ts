/** Keys are put into the text where a customer would put them: beside the site that REALITY borrows. */

interface Inbound {
  readonly streamSettings?: { readonly realitySettings?: Readonly<Record<string, unknown>> }
}

/** The text with another private key; undefined where there is no place for one. */
export const withPrivateKey = (text: string, privateKey: string): string | undefined => {
  try {
    const json = JSON.parse(text) as { readonly inbounds?: readonly Inbound[] }
    const inbound = json.inbounds?.find((one) => one.streamSettings?.realitySettings)
    if (!inbound?.streamSettings?.realitySettings) return undefined
    const { realitySettings } = inbound.streamSettings
    const changed = {
      ...inbound,
      streamSettings: { ...inbound.streamSettings, realitySettings: { ...realitySettings, privateKey } },
    }
    const inbounds = json.inbounds?.map((one) => (one === inbound ? changed : one))
    return JSON.stringify({ ...json, inbounds }, null, 2)
  } catch {
    return undefined
  }
}
