/** Letters as people look for them and put them in order, on any engine: by what they are made of, then by themselves. */

/** Letters that Unicode does not take apart, by those that they are sorted and looked for with. */
const PLAIN: Readonly<Record<string, string>> = {
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
const IN_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu')

/** Letters of their own, though Unicode takes some of them apart: each comes after all words with the letter before it. */
const AFTER: Readonly<Record<string, string>> = {
  ґ: 'г\u{10fff0}',
  є: 'е\u{10fff0}',
  і: 'и\u{10fff0}',
  ї: 'и\u{10fff1}',
  й: 'и\u{10fff2}',
  ў: 'у\u{10fff0}',
}
const IN_AFTER = new RegExp(`[${Object.keys(AFTER).join('')}]`, 'gu')

/** Lower case, without accents: `Łukasz` → `lukasz`. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(IN_PLAIN, (letter) => PLAIN[letter] as string)

/** How text is compared: case and width do not matter. */
export const compared = (text: string): string => text.normalize('NFKC').toLowerCase()

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ONLY_ASCII = /^[\u0000-\u007f]*$/

/**
 * What text is unique and sorted by: two are the same when they are compared as the same, and in the order of their bytes
 * letters with accents stand beside those without: `Ångström` between `Angstrom` and `Anna`.
 */
export function fold(text: string): string {
  const same = compared(text)
  if (ONLY_ASCII.test(same)) return same
  const letters = plainLetters(same.replace(IN_AFTER, (letter) => AFTER[letter] as string))
  return letters === same ? same : `${letters}\u0001${same}`
}
