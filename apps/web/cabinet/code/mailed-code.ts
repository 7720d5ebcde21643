/** Whether nothing is missing from what was typed or pasted: the short code has six digits. */
export const isWhole = (typed: string): boolean => /^\d{6}$/.test(typed.replace(/\s/g, ''))
