/** What machines are installed from, by the name of its release. */
export interface AgentKit {
  /** What is handed out now, prepared if need be; throws a sentence where nothing can be. */
  release(): Promise<string>
  /** The same as far as it was prepared since the start; null when it was not. */
  known(): string | null
}
