import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Catalogue, catalogues, literalTexts, markup, type Text } from './console-words.ts'
import { BANNED } from './plain-words.ts'

/** Forms by number that a language needs beside `other`. */
const FORMS: Record<string, string[]> = { en: ['one'], de: ['one'], uk: ['one', 'few', 'many'] }
const LANGUAGES = Object.keys(FORMS)

/** What English texts of the console must not say, in addition to what no text says. */
const BANNED_IN_CONSOLE: readonly RegExp[] = [
  ...BANNED.map(({ pattern }) => pattern),
  /\bof (its|their|your|one’s) own\b/i,
  /\bas (it|they) (is|are|was|were)\b/i,
  /\bkinds? of\b/i,
  /!/,
  /\bsomebody (else )?was\b/i,
]
/** Informal address. */
const INFORMAL: Record<string, RegExp> = {
  de: /(?<!\p{L})(du|dich|dir|dein\p{L}*|euch|euer|eure\p{L}*)(?!\p{L})/iu,
  uk: /(?<!\p{L})(ти|тебе|тобі|тобою|твій|твоя|твоє|твої|твого|твоєї|твою)(?!\p{L})/iu,
}

const placeholders = (text = '') => [...new Set(text.match(/\{\w+\}/g))].sort().join(' ')

/** What a text of a catalogue lacks or has too much of, compared with the English one. */
function faultsOf({ place, languages }: Catalogue): string[] {
  const english = languages.get('en') as Map<string, Text>
  return LANGUAGES.flatMap((language) => {
    const own = languages.get(language) ?? new Map<string, Text>()
    const keys = new Set([...english.keys(), ...own.keys()])
    return [...keys].flatMap((key) => {
      const at = `${place} ${key} (${language})`
      const [ours, theirs] = [own.get(key), english.get(key)]
      if (!ours || !theirs) return [`${at} is missing`]
      const isPlural = Object.keys(theirs).length > 1 || Object.keys(ours).length > 1
      const missing = isPlural ? [...(FORMS[language] as string[]), 'other'].filter((form) => !(form in ours)) : []
      const wanted = placeholders(theirs.other)
      return [
        ...missing.map((form) => `${at} lacks the form ${form}`),
        ...Object.values(ours).flatMap((text) => (text.trim() ? [] : [`${at} is empty`])),
        ...(placeholders(ours.other) === wanted ? [] : [`${at} has ${placeholders(ours.other)}, not ${wanted}`]),
        // A form for one may leave out the number, and nothing else.
        ...Object.values(ours).flatMap((text) =>
          [placeholders(text), placeholders(`${text}{count}`)].includes(wanted)
            ? []
            : [`${at} “${text}” lacks ${wanted}`],
        ),
      ]
    })
  })
}

function matching(language: string, patterns: readonly RegExp[]): string[] {
  return catalogues().flatMap(({ place, languages }) =>
    [...(languages.get(language) ?? [])].flatMap(([key, text]) =>
      Object.values(text)
        .filter((form) => patterns.some((pattern) => pattern.test(form.replace(/\{\w+\}/g, ''))))
        .map((form) => `${place} ${key}: ${form}`),
    ),
  )
}

test('every console text exists in all languages, with the same placeholders and all plural forms', () => {
  const all = catalogues()
  assert.ok(all.reduce((sum, { languages }) => sum + (languages.get('en')?.size ?? 0), 0) > 1800, 'the texts are found')
  assert.deepEqual(all.flatMap(faultsOf), [])
})

test('a missing text, another placeholder and a missing plural form are found', () => {
  const of = (en: Text, de: Text, uk: Text | undefined) =>
    faultsOf({
      place: 'texts.ts',
      languages: new Map([
        ['en', new Map([['a', en]])],
        ['de', new Map([['a', de]])],
        ['uk', new Map(uk ? [['a', uk]] : [])],
      ]),
    })
  const one = { other: 'Hello {name}' }
  assert.deepEqual(of(one, one, one), [])
  assert.deepEqual(of(one, one, undefined), ['texts.ts a (uk) is missing'])
  assert.match(of(one, { other: 'Hallo {Name}' }, one).join(), /\(de\) has \{Name\}, not \{name\}/)
  const many = { one: '{count} day', other: '{count} days' }
  assert.match(of(many, many, many).join(), /\(uk\) lacks the form few.*lacks the form many/)
})

test('markup of the console holds no text outside the catalogues', () => {
  assert.ok(markup.length > 80, 'the files are found')
  assert.deepEqual(
    markup.flatMap((file) => literalTexts(file)),
    [],
  )
})

test('literal text in markup and attributes is found', () => {
  const found = (code: string) =>
    literalTexts('page.tsx', `const page = ${code}`).map((line) => line.split(' ').slice(1).join(' '))
  assert.deepEqual(found('<p>Save it</p>'), ['Save it'])
  assert.deepEqual(found('<p>{isOpen ? "Open now" : t("closed")}</p>'), ['Open now'])
  assert.deepEqual(found('<Input label="Name" placeholder={"days " + n} alt={"Logo"} />'), ['Name', 'days', 'Logo'])
  assert.deepEqual(found('<p className="plain" key="some">{t("key")} · {count} – Cadre</p>'), [])
})

test('English texts use plain words', () => assert.deepEqual(matching('en', BANNED_IN_CONSOLE), []))

test('German and Ukrainian texts address people formally', () => {
  for (const [language, pattern] of Object.entries(INFORMAL)) assert.deepEqual(matching(language, [pattern]), [])
})
