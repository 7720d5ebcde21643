/** One spelling for one mailbox: keyboards add spaces, and capitals are a matter of taste. */
export const readEmail = (text: string): string => text.trim().toLowerCase()
