/** The Xray of the machine that the service runs on: it reads configs, and is never asked to run one. */
export interface XrayReader {
  /**
   * What the engine says against the first config that it does not take, in words for whoever wrote them; null when it
   * takes all, or when there is no engine here. One after another for whoever asks, who is named so. Rejects when too many
   * ask at once, or one asks too much.
   */
  refusalOf(configs: readonly string[], whoAsks: string): Promise<string | null>
}

export class XrayBusy extends Error {}
