/**
 * Numbers as a language writes them, in both directions: `58.500,50` is 58500.5 in German and nothing in English.
 *
 * The decimal sign is the language's own and nothing else. A group sign (the language's, a space or an apostrophe) counts
 * only where groups stand behind it: in German `58.500` is 58500, and `58.5` is refused rather than taken for what might
 * be a thousand times less than was meant.
 */

export type Separators = { decimal: string; groups: readonly string[] }

const BY_LANGUAGE: Intl.NumberFormatOptions = { numberingSystem: 'latn' }
const known = new Map<string, { tag: string; signs: Separators }>()

function signsIn(tag: string): { signs: Separators; isOne: boolean } {
  const number = new Intl.NumberFormat(tag, BY_LANGUAGE)
  const money = new Intl.NumberFormat(tag, { ...BY_LANGUAGE, style: 'currency', currency: 'EUR' })
  const [plain, priced] = [number, money].map((one) => {
    const parts = one.formatToParts(1_234_567.5)
    const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
    return { decimal: sign('decimal'), group: alike(sign('group')) }
  }) as [Record<'decimal' | 'group', string>, Record<'decimal' | 'group', string>]
  const groups = [...new Set([plain.group, priced.group, ' ', "'"])].filter((one) => one && one !== plain.decimal)
  return { signs: { decimal: plain.decimal, groups }, isOne: plain.decimal === priced.decimal }
}

/**
 * Where numbers and money of a region are written with different decimal signs (English in Germany: 1.234,5 but
 * €1,234.50), nobody could tell what a field means: there both are as in the language at large.
 */
function writtenAs(locale: string) {
  const before = known.get(locale)
  if (before) return before
  const { signs, isOne } = signsIn(locale)
  const language = locale.split('-')[0] as string
  const found =
    isOne || language === locale ? { tag: locale, signs } : { tag: language, signs: signsIn(language).signs }
  known.set(locale, found)
  return found
}

/** The name of the language by which numbers and money are written. */
export const numberTag = (locale: string): string => writtenAs(locale).tag

/** All spaces are one, and so are all apostrophes; marks of direction are nothing. */
const alike = (text: string) =>
  text
    .replace(/\s/g, ' ')
    .replace(/[’ʼ]/g, "'")
    .replace(/[\u200e\u200f\u061c]/g, '')

type NumberStyle = { isMoney?: boolean; isUngrouped?: boolean }

/** `"56080.0"` → `56,080`; money with a part of a unit has both of its digits: `56,080.50`. */
export function writeNumber(
  value: string | number,
  locale: string,
  { isMoney, isUngrouped }: NumberStyle = {},
): string {
  const text = String(value)
  if (!PLAIN.test(text)) return text
  const hasPart = /\.\d*[1-9]/.test(text)
  const options = {
    ...BY_LANGUAGE,
    useGrouping: !isUngrouped,
    minimumFractionDigits: isMoney && hasPart ? 2 : 0,
    maximumFractionDigits: 20,
  }
  // As text, of which no digit is lost.
  return new Intl.NumberFormat(numberTag(locale), options).format(text as Intl.StringNumericLiteral)
}

const PLAIN = /^-?\d+(\.\d+)?$/

/** `58.500,50` → `"58500.5"`, as the interface has it; undefined where it is not clear which number it is. */
export function readNumber(text: string, locale: string): string | undefined {
  const { decimal, groups } = writtenAs(locale).signs
  const [, sign = '', size = ''] = /^([-−+]?) ?(.*)$/.exec(alike(text).trim()) ?? []
  const [whole = '', part = '', ...more] = size.split(decimal)
  const digits = ungrouped(whole, groups, locale)
  if (digits === undefined || more.length > 0 || !/^\d*$/.test(part) || digits + part === '') return undefined
  const fraction = part.replace(/0+$/, '')
  const plain = `${digits.replace(/^0+(?=\d)/, '') || '0'}${fraction && `.${fraction}`}`
  return sign && sign !== '+' && plain !== '0' ? `-${plain}` : plain
}

function ungrouped(whole: string, groups: readonly string[], locale: string): string | undefined {
  const sign = /\D/.exec(whole)?.[0]
  if (sign === undefined) return whole
  const [first = '', ...rest] = whole.split(sign)
  const digits = first + rest.join('')
  if (!groups.includes(sign) || !/^\d+$/.test(digits)) return undefined
  const areThrees = /^\d{1,3}$/.test(first) && rest.every((one) => one.length === 3)
  // Groups are not of three everywhere.
  return areThrees || alike(writeNumber(digits, locale)) === whole ? digits : undefined
}
