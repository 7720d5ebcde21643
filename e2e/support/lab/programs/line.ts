/** An open connection on which somebody far away is asked for bytes. */
export interface Line {
  /** Sends so many bytes and asks for so many; done when the answer begins. */
  ask(upBytes: number, downBytes: number): Promise<void>
  /** Takes what was asked for, to its end. */
  take(): Promise<number>
  end(): void
}
