/** The Xray of the machine that the service runs on: it reads configs, and is never asked to run one. */
export interface XrayReader {
  /**
   * What the engine says against a config, in words for whoever wrote it; null when it says nothing, or when there is
   * no engine here. Rejects when too many ask at once.
   */
  refusalOf(config: string): Promise<string | null>
}

export class XrayBusy extends Error {}
