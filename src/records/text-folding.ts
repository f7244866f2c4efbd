/** Search and sort order of text, the same on both engines: letters with accents are next to those without. */

/** Letters that Unicode does not decompose, and the letters they are sorted and searched as. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  ŀ: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ə: 'e',
  ƶ: 'z',
  ς: 'σ',
}
const WITH_BASE_LETTERS = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'gu')

/** Separate letters of the alphabet, although Unicode decomposes some: each is sorted after all words with the letter before it. */
const SEPARATE_LETTERS: Readonly<Record<string, string>> = {
  ґ: 'г\u{10fff0}',
  є: 'е\u{10fff0}',
  і: 'и\u{10fff0}',
  ї: 'и\u{10fff1}',
  й: 'и\u{10fff2}',
  ў: 'у\u{10fff0}',
}
const SEPARATE = new RegExp(`[${Object.keys(SEPARATE_LETTERS).join('')}]`, 'gu')

/** Lower case, without accents: `Łukasz` → `lukasz`. */
export const foldAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(WITH_BASE_LETTERS, (letter) => BASE_LETTERS[letter] as string)

/** Text for comparisons that ignore case and width. */
export const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase()

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are part of ASCII
const ONLY_ASCII = /^[\u0000-\u007f]*$/

/**
 * The key by which text is unique and sorted. Texts that differ only in case have the same key. In the order of bytes, letters with
 * accents are next to those without: `Ångström` is between `Angstrom` and `Anna`.
 */
export function fold(text: string): string {
  const folded = foldCase(text)
  if (ONLY_ASCII.test(folded)) return folded
  const letters = foldAccents(folded.replace(SEPARATE, (letter) => SEPARATE_LETTERS[letter] as string))
  return letters === folded ? folded : `${letters}\u0001${folded}`
}
