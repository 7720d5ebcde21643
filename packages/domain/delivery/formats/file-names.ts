import { uniqueTitles } from './titles.ts'

/**
 * A tunnel is called as its file, and Linux and Android take 15 characters of ASCII and no more: a file with any other
 * name is not imported at all. So titles are written in Latin letters, flags as the codes of their countries.
 */

const cyrillic = [...'абвгдеёжзийклмнопрстуфхцчшщъыьэюя']
const latin = 'a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya'.split(' ')

const transliterated = (letter: string): string => {
  const small = letter.toLowerCase()
  const text = latin[cyrillic.indexOf(small)] ?? letter
  return small === letter ? text : text.slice(0, 1).toUpperCase() + text.slice(1)
}

const firstFlagLetter = 0x1f1e6
const flagLetter = (sign: string): string =>
  String.fromCharCode(65 + (sign.codePointAt(0) ?? firstFlagLetter) - firstFlagLetter)

/** Leaves room for a hyphen and a number of three digits. */
const longestName = 11

/** Windows keeps these for devices. */
const isDevice = (name: string): boolean => /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(name)

const safeName = (title: string): string => {
  const name = title
    .normalize('NFC')
    .replaceAll(/[а-яё]/gi, transliterated)
    .replaceAll(/\p{Regional_Indicator}/gu, flagLetter)
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longestName)
    .replace(/-+$/, '')
  return name === '' || isDevice(name) ? `vpn${name}` : name
}

/** Unique where upper and lower case are the same too. */
export const fileNames = (titles: readonly string[]): string[] =>
  uniqueTitles(titles.map(safeName), [], (name) => name.replace(' ', '-').toLowerCase()).map((name) =>
    name.replace(' ', '-'),
  )
