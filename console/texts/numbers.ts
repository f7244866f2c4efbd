/**
 * Reads and writes numbers in a language: `58.500,50` is 58500.5 in German, and invalid in English. Only the language's
 * decimal sign is accepted. A group sign (the language's, a space or an apostrophe) is only accepted before complete
 * groups: in German `58.500` is 58500, and `58.5` is refused, because it could be a mistake by a factor of a thousand.
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
 * In some regions numbers and money have different decimal signs (English in Germany: 1.234,5 but €1,234.50). An input
 * would be ambiguous, so both use the format of the language without the region.
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

/** The language tag that numbers and money use. */
export const numberTag = (locale: string): string => writtenAs(locale).tag

/** Treats all spaces and all apostrophes alike, and removes direction marks. */
const alike = (text: string) =>
  text
    .replace(/\s/g, ' ')
    .replace(/[’ʼ]/g, "'")
    .replace(/[\u200e\u200f\u061c]/g, '')

type NumberStyle = { isMoney?: boolean; isUngrouped?: boolean }

/** `"56080.0"` → `56,080`. Money with cents has two decimals: `56,080.50`. */
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
  // Formatted from text, so that no digit is lost.
  return new Intl.NumberFormat(numberTag(locale), options).format(text as Intl.StringNumericLiteral)
}

const PLAIN = /^-?\d+(\.\d+)?$/

/** `58.500,50` → `"58500.5"`, the API's format; undefined if the number is ambiguous. */
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
  // Not all languages group by three digits.
  return areThrees || alike(writeNumber(digits, locale)) === whole ? digits : undefined
}
