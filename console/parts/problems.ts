import { useState } from 'react'
import { type FieldProblem, Problem } from '../client/client.ts'
import { isShownAtFields } from '../client/data.ts'
import { useFormats } from '../texts/formats.ts'
import { type Message, useLocale, useTexts } from '../texts/i18n.ts'
import { useFieldName, useTitleName, useValueName } from '../texts/names.ts'
import { shared } from '../texts/words/words.ts'

/** Errors of the service in the user's language. Unknown ones are quoted. */

const words = shared('problems')
type ProblemKey = keyof typeof words.en

/** Some codes have several meanings. The service's message tells them apart and has the numbers. */
const MESSAGE_PATTERNS: readonly (readonly [RegExp, ProblemKey])[] = [
  [/^is too short: (?<count>\d+)/, 'tooShort'],
  [/^is too long: (?<count>\d+)/, 'too_long'],
  [/^must be at least (?<limit>[\d.]+)$/, 'too_small'],
  [/^must be at most (?<limit>[\d.]+)$/, 'too_large'],
  [/^must be from (?<from>[\d.]+) to (?<until>[\d.]+)$/, 'out_of_range'],
  [/^cannot be before (?<field>\w+)(?:, [\d-]+)?$/, 'before'],
  [/^must be (?:a minute )?after (?<field>\w+)/, 'notAfter'],
  [/^must be a calendar date/, 'noDate'],
  [/^must be an e-mail address/, 'noEmail'],
  [/^must be an http/, 'noAddress'],
  [/^must be (?:a decimal|a) number|^must be an integer|^must be a whole/, 'noNumber'],
  [/^overlaps with an(?:other)? entry from (?<from>\S+) to (?<until>\S+)$/, 'overlapEntry'],
  [/^overlaps with leave request/, 'overlapLeave'],
  [/^would let the leave balance fall to (?<amount>\S+) on (?<day>\S+), below .*, (?<floor>\S+)$/, 'balance'],
  [/\bis (?:already )?(?<state>\w+)\. Only an? .* can become /, 'stateByNow'],
  [
    /\bis (?<state>\w+)(?: and cannot become | and can no longer change|, so (?:its days can no longer|only its comment can still) change)/,
    'stateByNow',
  ],
  [/^(?:was changed again later|belongs to an employee who has been changed since)/, 'changedSince'],
  [/^was deleted later/, 'deletedSince'],
  [/^is in the waiting period: .* from (?<day>[\d-]+) on$/, 'waitingPeriod'],
  [/^is in the probation period: .* from (?<day>[\d-]+) on$/, 'inProbation'],
  [/^is too soon: .* requested (?<count>\d+) days before .* from (?<day>[\d-]+) on$/, 'shortNotice'],
  [/^leads to .* in a row.*: at least (?<limit>[\d.]+) /, 'rowTooShort'],
  [/^leads to .* in a row.*: at most (?<limit>[\d.]+) /, 'rowTooLong'],
  [
    /^leads to .* in (?<period>[\d-]+): at most (?<limit>[\d.]+) .* (?<left>[\d.]+) \w+ (?:is|are) left$/,
    'periodMaximum',
  ],
  [/no leave can be taken from (?<from>[\d-]+) until (?<until>[\d-]+) \((?<name>.*)\)$/, 'blocked'],
  [/^are required: this leave .* from day (?<count>\d+) on/, 'attachmentFrom'],
  [/ only in half and whole days$/, 'onlyHalfDays'],
  [/ only in whole days$/, 'onlyWholeDays'],
  [/^must not be before (?<day>[\d-]+), the first day after the employment$/, 'tooEarlyToRehire'],
  [/^cannot be after (?<day>[\d-]+), when the current employment starts$/, 'notAfterStart'],
  [/\bbefore (?<day>[\d-]+), when the former employment ended$/, 'beforeFormerEnd'],
  [/^cannot be after today, .* current employment/, 'endsInFuture'],
  [/^overlaps with employment \d+, from (?<from>[\d-]+) until before (?<until>[\d-]+)$/, 'overlapEmployment'],
  [/the former employment has no hired_on\b|the employee has no hired_on yet\b/, 'noFirstDayYet'],
  [/ starts on (?<day>[\d-]+), which would not be in the employment\b/, 'wouldBeOutside'],
  [/^must not be before (?<day>[\d-]+), when the employment starts$/, 'beforeHired'],
  [/^must not be between two employments: .* before (?<from>[\d-]+), .* on (?<until>[\d-]+)$/, 'betweenEmployments'],
  [/\bbefore the employment (?:starts|started) on (?<day>[\d-]+)/, 'beforeHired'],
  [/^must be before (?<day>[\d-]+), the first day after employment$/, 'afterLeft'],
  [/\b(?:less|lower) than (?<field>[a-z]+(?:_[a-z]+)+)$/, 'notLess'],
  [/\bcolou?r like #/, 'noColour'],
  [/^There are (?:still )?applications in (?:this )?stage\b/, 'stageFilled'],
  [/\bcannot be undone\b.*\bsecrets?\b/, 'noUndoOfSecrets'],
  [/^All positions of this vacancy are (?:already )?filled/, 'allFilled'],
  [/^The vacancy is (?<state>\w+)\b.*\bapplications\b/, 'vacancyNotOpen'],
  [/\bneeds at least one stage\b/, 'noStages'],
  [/\bleave type is in use\b.*\bunit\b/, 'unitFixed'],
  [/\bleave policy is in use\b/, 'policyFixed'],
]

/** Codes with another meaning at one field. */
const AT_FIELD: Readonly<Record<string, ProblemKey>> = {
  'parent_id cycle': 'departmentCycle',
  'carry_over_until invalid': 'noDayOfYear',
  'tenure_steps repeated': 'repeatedYears',
  'age_steps repeated': 'repeatedAge',
  'break_deductions repeated': 'repeatedMinutes',
}

/** The end of a message about other terms of a policy than those that were sent. */
const OTHER_TERMS = /, also in the (?:first terms|terms from (?<day>[\d-]+))$/

/** Errors about several fields disappear when any field changes. */
const ABOUT_SEVERAL_FIELDS = [
  'overlap',
  'too_early',
  'no_days',
  'balance',
  'out_of_range',
  'mismatch',
  'not_assigned',
  'too_short',
  'too_long',
  'monthly_maximum',
  'yearly_maximum',
  'blocked',
  'not_eligible',
]

/** Completes a fragment to a sentence, and adds a missing full stop. */
const asSentence = (text: string, begin: (what: string) => string) =>
  /^\p{Ll}/u.test(text) ? begin(text.replace(/\.$/, '')) : /[\p{L}\d”“»)]$/u.test(text) ? `${text}.` : text

/** `is required` → This is required. */
export function useSentence(): (text: string) => string {
  const say = useTexts(words)
  return (text) => asSentence(text, (what) => say('sentence', { what }))
}

/** Texts of errors. `zone` is the time zone of the screen, if it is not the user's. */
export function useProblemText(zone?: string): (problem: FieldProblem) => string {
  const say = useTexts(words) as unknown as (key: string, values?: Record<string, string | number>) => string
  const known = words[useLocale()] as Record<string, Message>
  const plain = usePlainWords(zone)
  const fieldName = useFieldName()
  const valueName = useValueName()
  const { number, day } = useFormats()
  const whole = useSentence()
  return (problem) => {
    const elsewhere = OTHER_TERMS.exec(problem.message)
    if (!elsewhere) return textOf(problem)
    const text = textOf({ ...problem, message: problem.message.slice(0, elsewhere.index) })
    const from = elsewhere.groups?.day
    return `${text} ${whole(from ? say('alsoInTerms', { day: day(from) }) : say('alsoInFirstTerms'))}`
  }
  function textOf({ field, code, message }: FieldProblem): string {
    const own = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
    const atField = AT_FIELD[`${field} ${code}`]
    if (atField) return whole(say(atField))
    for (const [pattern, key] of MESSAGE_PATTERNS) {
      const found = pattern.exec(own)
      if (!found) continue
      const { field: other, state, ...figures } = found.groups ?? {}
      const told = Object.entries(figures).map(([name, figure = '']) => [
        name,
        name === 'period' ? shownPeriod(figure, day) : shownFigure(figure, plain, number),
      ])
      const names = { ...(other ? { field: fieldName(other) } : {}), ...(state ? { state: valueName(state) } : {}) }
      return whole(say(key, { ...Object.fromEntries(told), ...names }))
    }
    // A text with a placeholder needs a number that is not known here.
    const sentence = Object.hasOwn(known, code) ? known[code] : undefined
    if (typeof sentence === 'string' && !sentence.includes('{')) return whole(say(code))
    return own && say('other', { detail: asSentence(plain(own), (what) => `This ${what}.`) })
  }
}

/** `2036-07` as a month and a year, `2036` as it is. */
const shownPeriod = (period: string, day: ReturnType<typeof useFormats>['day']) =>
  period.length === 4 ? period : day(`${period}-01`, { month: 'long', year: 'numeric' })

/** Numbers stay numbers, because they select plural forms. Negative ones get a true minus sign. */
function shownFigure(figure: string, plain: (words: string) => string, written: (value: number) => string) {
  if (!/^-?[\d.]+$/.test(figure)) return plain(figure)
  return figure.startsWith('-') ? `−${written(-Number(figure))}` : Number(figure)
}

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g
const DAY = /\b\d{4}-\d\d-\d\d\b/g
const NAME = /\b(?:\w+\[\d+\]\.)?([a-z]+(?:_[a-z]+)+)\b/g

/** The service's own words, with readable days, times and field names. */
export function usePlainWords(zone?: string): (words: string) => string {
  const fieldName = useFieldName()
  const { day, moment } = useFormats()
  return (words) =>
    words
      .replace(MOMENT, (at) =>
        moment(at, zone ? { dateStyle: 'medium', timeStyle: 'short', timeZone: zone } : undefined),
      )
      .replace(DAY, (one) => day(one))
      .replace(NAME, (_, name: string) => fieldName(name))
}

/** `tenure_steps[0].years` → More leave after some years 1, Years of employment */
export function useFieldPlace(): (field: string, labels?: Readonly<Record<string, string>>) => string {
  const fieldName = useFieldName()
  return (field, labels = {}) =>
    field
      .split('.')
      .map((part) => {
        const [, name = part, index] = /^(\w+)\[(\d+)\]$/.exec(part) ?? []
        const label = labels[name] ?? fieldName(name)
        return index === undefined ? label : `${label} ${Number(index) + 1}`
      })
      .join(', ')
}

/** `employees[31].work_phone_number` → Work phone */
export function usePlaceName(): (place: string) => string {
  const fieldName = useFieldName()
  return (place) =>
    fieldName(
      place
        .replace(/\[\d+\]/g, '')
        .split('.')
        .at(-1) ?? place,
    )
}

/**
 * The error of each field: `const problems = useProblems(save.error, values)`. With `values`, an error disappears once
 * its field is changed. A screen that shows only some fields passes their names as `at`; other errors then appear as a
 * message.
 */
export function useProblems(
  error: unknown,
  values: Readonly<Record<string, unknown>> = {},
  { zone, at }: { zone?: string; at?: readonly string[] } = {},
): Record<string, string> {
  const say = useProblemText(zone)
  const [refused, setRefused] = useState({ error, values })
  if (refused.error !== error) setRefused({ error, values })
  if (!(error instanceof Problem)) return {}
  if (!at || error.errors.every(({ field }) => at.includes(field))) isShownAtFields(error)
  const isChanged = (name: string) => refused.error === error && refused.values[name] !== values[name]
  const isAnyChanged = Object.keys({ ...values, ...refused.values }).some(isChanged)
  const rootOf = (field: string) => (field in values ? field : (/^\w+/.exec(field)?.[0] ?? field))
  const left = error.errors.filter(({ field, code }) => {
    const root = rootOf(field)
    return ABOUT_SEVERAL_FIELDS.includes(code) || !(root in values) ? !isAnyChanged : !isChanged(root)
  })
  const texts = Map.groupBy(left, ({ field }) => field)
  return Object.fromEntries([...texts].map(([field, all]) => [field, [...new Set(all.map(say))].join(' ')]))
}

/** `This department is still in use by employee position 3 (department_id)` → by which record. */
export function useInUseText(): (detail: string) => string {
  const say = useTexts(words)
  const kindName = useTitleName()
  const problem = useProblemText()
  const whole = useSentence()
  return (detail) => {
    const found = /still in use by ([A-Za-z ]+?) (\d+)/.exec(detail)
    if (!found) return problem({ field: '', code: 'in_use', message: detail })
    const [, kind = '', number = ''] = found
    if (kind === 'user' && detail.includes('(employee_id)')) return whole(say('inUseByUser'))
    const title = kind.toLowerCase().replace(/(?:^| )([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return whole(say('inUseBy', { what: kindName(title), number }))
  }
}
