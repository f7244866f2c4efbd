import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatDecimal, parseDecimal } from '../../src/engine/decimal.ts'
import { FORMATS, isDate, readTimestamp } from '../../src/engine/format.ts'
import { nestParameters } from '../../src/surfaces/http/nested-parameters.ts'
import { fc } from '../chance.ts'
import { spell } from '../harness.ts'

describe('decimals', () => {
  const amounts = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 99_999_999_999 }), fc.integer({ min: 0, max: 9999 }))

  test('are returned exactly as given, except trailing zeros', () => {
    fc.assert(
      fc.property(amounts, ([negative, whole, fraction]) => {
        const text = `${negative ? '-' : ''}${whole}.${String(fraction).padStart(4, '0')}`
        const expected = text.replace(/0{1,3}$/, '').replace(/^-(0\.0)$/, '$1')
        assert.equal(formatDecimal(parseDecimal(text)), expected)
      }),
    )
  })

  test('add up without rounding', () => {
    assert.equal(formatDecimal(parseDecimal('0.1') + parseDecimal('0.2')), '0.3')
  })
})

describe('dates', () => {
  test('must be real dates in a sensible range', () => {
    for (const good of ['2024-02-29', '2000-02-29', '1999-12-31', '1900-01-01', '2200-12-31'])
      assert.ok(isDate(good), good)
    for (const bad of [
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-04-31',
      '2024-1-1',
      '24-01-01',
      '2024-01-01T00:00',
      '0000-01-01',
      '1899-12-31',
      '2201-01-01',
      '9999-12-31',
      '',
    ])
      assert.ok(!isDate(bad), bad)
  })

  test('agree with the calendar on every day of 300 years', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2200 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (year, month, day) => {
          const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
          assert.equal(isDate(text), day <= new Date(Date.UTC(year, month, 0)).getUTCDate())
        },
      ),
    )
  })

  test('timestamps are read from Unix seconds and from ISO 8601 with a zone', () => {
    assert.equal(readTimestamp('1683557122'), '2023-05-08T14:45:22.000Z')
    assert.equal(readTimestamp(1683557122), '2023-05-08T14:45:22.000Z')
    assert.equal(readTimestamp('2023-05-08T16:45:22+02:00'), '2023-05-08T14:45:22.000Z')
    for (const bad of [
      '2023-05-08',
      '2023-05-08T16:45:22',
      'yesterday',
      '-1',
      '',
      '2026-02-30T10:00:00Z',
      '9999-01-01T00:00:00Z',
      '99999999999',
    ])
      assert.equal(readTimestamp(bad), undefined, bad)
  })
})

test('currencies, countries, regions, time zones, e-mail addresses and URLs are validated against known values', () => {
  const cases: Record<string, [string[], string[]]> = {
    currency: [
      ['EUR', 'USD', 'JPY'],
      ['EURO', 'XX', ''],
    ],
    country: [
      ['DE', 'GB', 'TW'],
      ['EU', 'XK', 'UK', 'de', 'ZZ'],
    ],
    region: [
      ['DE-BY', 'MY-01', 'US-CA', 'CK-RAROTONGA'],
      ['DE', 'BY', 'DE-', 'de-by', 'DE-B Y', ''],
    ],
    'time-zone': [
      ['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia'],
      ['Mars/Base', '+02:00', ''],
    ],
    email: [
      ['a@b.co', "o'brien+x@sub.example.museum", 'ü@exämple.de'],
      ['a@b', 'a b@c.de', '@c.de', 'a@c..de', 'a@b.co,c@d.co'],
    ],
    uri: [
      ['https://example.com/a?b#c', 'http://localhost:3000'],
      ['javascript:alert(1)', 'ftp://x', 'example.com', '//x'],
    ],
  }
  for (const [name, [good, bad]] of Object.entries(cases)) {
    for (const value of good) assert.ok(FORMATS[name]?.test(value), `${name} ${value}`)
    for (const value of bad) assert.ok(!FORMATS[name]?.test(value), `${name} ${value}`)
  }
})

describe('parameter names of forms and queries', () => {
  test('express lists and objects', () => {
    const read = (query: string) => JSON.parse(JSON.stringify(nestParameters(new URLSearchParams(query))))
    assert.deepEqual(read('a=1&b[]=1&b[]=2&c=1&c=2&d[x]=1&d[y]=2'), {
      a: '1',
      b: ['1', '2'],
      c: ['1', '2'],
      d: { x: '1', y: '2' },
    })
    assert.deepEqual(read('s[][n]=a&s[][t]=x&s[][n]=b'), { s: [{ n: 'a', t: 'x' }, { n: 'b' }] })
    assert.deepEqual(read('a[b=1&]=2'), { 'a[b': '1', ']': '2' })
  })

  test('cannot reach a prototype', () => {
    nestParameters(new URLSearchParams('__proto__[polluted]=1&constructor[prototype][polluted]=1'))
    assert.equal(({} as any).polluted, undefined)
  })

  test('are parsed back to the values they were written from', () => {
    const name = fc.stringMatching(/^[a-z_]{1,8}$/)
    const text = fc.string({ minLength: 1 })
    const values = fc.dictionary(
      name,
      fc.oneof(text, fc.array(text, { minLength: 1 }), fc.dictionary(name, text, { minKeys: 1 })),
    )
    fc.assert(
      fc.property(values, (given) =>
        assert.deepEqual(JSON.parse(JSON.stringify(nestParameters(spell(given)))), JSON.parse(JSON.stringify(given))),
      ),
    )
  })
})
