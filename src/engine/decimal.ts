/**
 * Exact decimals are kept as whole ten-thousandths: both engines add and compare them without rounding,
 * and eleven digits before the point stay within what a JavaScript number holds exactly.
 */
const SCALE = 10_000
export const DECIMAL_SCALE = SCALE
export const DECIMAL_PATTERN = /^-?\d{1,11}(\.\d{1,4})?$/

/** `"1234.56"` → `12345600`. The text must match DECIMAL_PATTERN. */
export function parseDecimal(text: string): number {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const units = Number(whole) * SCALE + Number(fraction.padEnd(4, '0'))
  return negative && units !== 0 ? -units : units
}

/** `12345600` → `"1234.56"`, with at least one digit after the point. */
export function formatDecimal(units: number): string {
  const size = Math.abs(units)
  const fraction = String(size % SCALE)
    .padStart(4, '0')
    .replace(/0{1,3}$/, '')
  return `${units < 0 ? '-' : ''}${Math.floor(size / SCALE)}.${fraction}`
}
