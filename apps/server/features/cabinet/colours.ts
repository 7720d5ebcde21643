/** The operator's one colour, as what the styles of the cabinet use. */
export const colourStyle = (accent: string): string => `:root{--accent:${accent}}`
