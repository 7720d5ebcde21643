/**
 * Text in a header that apps show: as it is where a header can carry it, else in Base64, which they know by its prefix. Text
 * that begins with the prefix itself would be taken for it.
 */
export const headerText = (text: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('base64:')
    ? text
    : `base64:${Buffer.from(text).toString('base64')}`
