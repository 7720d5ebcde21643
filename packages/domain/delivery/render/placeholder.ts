/** An entry that connects nowhere and whose title tells the customer what to do, in place of an empty list. */
export const placeholderLink = (title: string): string =>
  `vless://00000000-0000-4000-8000-000000000000@127.0.0.1:1?encryption=none&type=tcp&security=none#${encodeURIComponent(title)}`
