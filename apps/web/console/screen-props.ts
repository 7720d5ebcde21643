export interface ScreenProps {
  /** Parameters of the address. */
  readonly params: Readonly<Record<string, string>>
}
