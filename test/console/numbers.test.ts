import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberTag, readNumber, writeNumber } from '../../console/texts/numbers.ts'
import { fc } from '../chance.ts'

/** Numbers that people type: what is written can be read again, and nothing becomes another number unseen. */

const OURS = [
  'en',
  'en-US',
  'en-GB',
  'en-IN',
  'en-ZA',
  'en-CH',
  'en-DE',
  'en-AT',
  'de',
  'de-AT',
  'de-CH',
  'de-LI',
  'uk',
]
const OTHERS = ['fr', 'es', 'pl', 'sv', 'pt', 'it', 'nl', 'cs', 'hi', 'bn', 'fa', 'ar-EG', 'ja']

const plain = fc
  .tuple(fc.boolean(), fc.bigInt(0n, 99_999_999_999n), fc.option(fc.integer({ min: 1, max: 9999 })))
  .map(([isLess, whole, part]) => {
    const fraction = part === null ? '' : `.${String(part).padStart(4, '0').replace(/0+$/, '')}`
    return `${isLess && (whole > 0n || fraction) ? '-' : ''}${whole}${fraction}`
  })

test('a formatted number is parsed back to the same number in every language', () => {
  for (const locale of [...OURS, ...OTHERS])
    fc.assert(
      fc.property(plain, fc.boolean(), (value, isMoney) => {
        const written = writeNumber(value, locale, { isMoney })
        assert.equal(readNumber(written, locale), value, `${locale}: ${written}`)
      }),
      { numRuns: 30 },
    )
})

test('typed input is rejected or parsed as the digits without group separators', () => {
  const typed = fc.array(fc.constantFrom(..."0123456789.,' \u00a0"), { minLength: 1, maxLength: 10 })
  for (const locale of OURS) {
    const decimal = writeNumber('0.5', locale)[1] as string
    fc.assert(
      fc.property(typed, (signs) => {
        const text = signs.join('').trim()
        const read = readNumber(text, locale)
        if (read === undefined) return
        const kept = text.replace(new RegExp(`[^\\d${decimal}]`, 'g'), '').replace(decimal, '.')
        assert.equal(Number(read), Number(`0${kept}`), `${locale}: ${text}`)
        // Nothing but groups stands behind a group sign.
        assert.match(text.split(decimal)[0] ?? '', /^\d*([^\d]\d{2,3})*$/)
      }),
      { numRuns: 200 },
    )
  }
})

test('each language has its decimal sign, and a point before three digits groups where the language does', () => {
  const read = (locale: string, ...texts: string[]) => texts.map((text) => readNumber(text, locale))
  assert.deepEqual(read('en', '58,500.50', '58500.5', '58.500', '58 500'), ['58500.5', '58500.5', '58.5', '58500'])
  assert.deepEqual(read('en', '58,5', '58,50', '5,8500', '58.500,50', '1,000,00'), Array(5).fill(undefined))
  assert.deepEqual(read('de', '58.500,50', '58500,50', '58.500', '58 500'), ['58500.5', '58500.5', '58500', '58500'])
  assert.deepEqual(read('de', '58.5', '56080.0', '58500.500', '58,500.50', '58.'), Array(5).fill(undefined))
  assert.deepEqual(read('uk', '58\u00a0500,50', '58 500,5', '58500'), ['58500.5', '58500.5', '58500'])
  assert.deepEqual(read('uk', '58.500', '58.5', 'багато', '-', ''), Array(5).fill(undefined))
  assert.deepEqual(read('en-IN', '1,00,000', '100,000'), ['100000', '100000'])
  assert.deepEqual(read('de-AT', '58.500', '58 500,5'), ['58500', '58500.5'])
  assert.deepEqual(read('de', '-0', '007,50', ',5', '5,', '−3', '+2'), ['0', '7.5', '0.5', '5', '-3', '2'])
  assert.deepEqual(
    ['en', 'de', 'uk'].map((locale) => writeNumber('58500.5000', locale, { isMoney: true })),
    ['58,500.50', '58.500,50', '58\u00a0500,50'],
  )
  assert.equal(writeNumber(2012, 'de', { isUngrouped: true }), '2012')
})

test('numbers and money of one locale use the same decimal sign', () => {
  for (const locale of OURS) {
    const signs = [{}, { style: 'currency', currency: 'EUR' } as const].map((options) =>
      new Intl.NumberFormat(numberTag(locale), options).formatToParts(0.5).find(({ type }) => type === 'decimal'),
    )
    assert.deepEqual(signs[0], signs[1], locale)
  }
})
