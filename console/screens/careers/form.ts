import { CareersApplication } from '../../client/fields/careers.ts'
import type { Field } from '../../client/fields.ts'
import { newId } from '../../client/ids.ts'
import { h } from '../../parts/dom.ts'
import { account, BASE, type Company, t, type Vacancy } from './place.ts'

/** The application form: one page, no account needed. The API decides which fields it has. */

type Name =
  | 'full_name'
  | 'email'
  | 'phone'
  | 'resume'
  | 'urls'
  | 'cover_letter'
  | 'consent'
  | 'future_recruitment_consent'
const ASKED: readonly Name[] = ['full_name', 'email', 'phone', 'resume', 'urls', 'cover_letter']
const FILLED_BY_BROWSER: Partial<Record<Name, string>> = {
  full_name: 'name',
  email: 'email',
  phone: 'tel',
  urls: 'url',
}
const HINTS = { resume: 'resumeHint', urls: 'urlsHint' } as const

type FormField = { name: Name; input: HTMLInputElement | HTMLTextAreaElement; told: HTMLElement; element: HTMLElement }

/** The name as a list, if the field can have several values. */
const sentAs = (name: Name) => (name === 'urls' ? 'urls[]' : name)

function ask(name: Name, isRequired: boolean): FormField {
  const field: Field = CareersApplication[name]
  const { format, maxLength } = field.items ?? field
  const type =
    field.type === 'file'
      ? 'file'
      : field.type === 'boolean'
        ? 'checkbox'
        : ({ email: 'email', uri: 'url' }[format ?? ''] ?? (name === 'phone' ? 'tel' : 'text'))
  const told = h('p', { class: 'wrong', id: `${name}-wrong` })
  const hint =
    name in HINTS ? h('p', { class: 'hint', id: `${name}-hint` }, t(HINTS[name as keyof typeof HINTS])) : null
  const attributes = {
    id: name,
    name: sentAs(name),
    autocomplete: FILLED_BY_BROWSER[name] ?? null,
    maxlength: maxLength && type !== 'file' ? maxLength : null,
    required: isRequired,
    'aria-describedby': [hint?.id, told.id].filter(Boolean).join(' '),
  }
  const isLong = format === 'text'
  const input = isLong
    ? h('textarea', { ...attributes, rows: 6 })
    : h('input', { ...attributes, type, ...(type === 'checkbox' ? { value: 'true' } : {}) })
  const label = h('label', { for: name }, t(name), isRequired && h('span', { 'aria-hidden': 'true' }, ' *'))
  const element =
    type === 'checkbox'
      ? h('div', { class: 'field' }, h('div', { class: 'tick' }, input, label), told)
      : h('div', { class: 'field' }, label, hint, input, told)
  return { name, input, told, element }
}

/** The error that the browser can detect. The service reports all others. */
function problemOf({ name, input }: FormField): string | null {
  const { valueMissing, typeMismatch } = input.validity
  if (input instanceof HTMLInputElement && input.files?.[0]?.size === 0) return t('emptyFile')
  if (valueMissing) return t(name === 'consent' ? 'consentRequired' : 'required')
  return typeMismatch ? t(name === 'email' ? 'wrongEmail' : 'wrongUrl') : null
}

const IN_WORDS: Record<string, () => string> = {
  'email invalid': () => t('wrongEmail'),
  'urls invalid': () => t('wrongUrl'),
  'consent required': () => t('consentRequired'),
}

type FormProblem = { errors?: { field: string; code: string; message: string }[] }

export function formFor(vacancy: Vacancy, company: Company): HTMLElement {
  const fields = [
    ...ASKED.map((name) => ask(name, name === 'full_name' || Boolean((CareersApplication[name] as Field).required))),
    ask('consent', company.consent_required),
    ask('future_recruitment_consent', false),
  ]
  const alert = h('p', { class: 'alert', role: 'alert', hidden: true })
  const button = h('button', { type: 'submit', class: 'main-button' }, t('send'))
  // Spam protection: a honeypot field that people do not see.
  const trap = h('input', { name: 'contact_me_by_fax_only', tabindex: -1, autocomplete: 'off', 'aria-label': 'Fax' })
  const form = h(
    'form',
    { id: 'apply', class: 'apply', novalidate: true, 'aria-labelledby': 'apply-title' },
    h('h2', { id: 'apply-title', tabindex: -1 }, t('apply')),
    h('p', { class: 'hint' }, t('applyHint')),
    ...fields.map(({ element }) => element),
    h('div', { class: 'trap', 'aria-hidden': 'true' }, trap),
    alert,
    button,
  )

  const tell = (problems: Map<Name, string>, also?: string) => {
    for (const { name, input, told } of fields) {
      told.textContent = problems.get(name) ?? ''
      if (problems.has(name)) input.setAttribute('aria-invalid', 'true')
      else input.removeAttribute('aria-invalid')
    }
    const text = also ?? (problems.size > 0 ? t('check', { count: problems.size }) : '')
    alert.textContent = text
    alert.hidden = !text
    fields.find(({ name }) => problems.has(name))?.input.focus()
  }
  const look = () =>
    new Map(fields.flatMap((one) => [problemOf(one)].flatMap((text) => (text ? [[one.name, text] as const] : []))))

  /** A field with an error is checked again while the user types. */
  for (const one of fields)
    one.input.addEventListener('input', () => {
      if (!one.input.hasAttribute('aria-invalid') || problemOf(one)) return
      one.input.removeAttribute('aria-invalid')
      one.told.textContent = ''
    })

  const thank = (email: string) => {
    const title = h('h2', { tabindex: -1 }, t('thanks'))
    const thanks = h(
      'section',
      { class: 'apply thanks' },
      title,
      h('p', {}, t('thanksText', { title: vacancy.title, email })),
    )
    form.replaceWith(thanks)
    document.querySelector('.apply-bar')?.remove()
    thanks.scrollIntoView({ block: 'center' })
    title.focus({ preventScroll: true })
  }

  // After a lost answer, the service recognises the same application by its key. A changed one gets a new key.
  let key = newId()
  form.addEventListener('input', () => {
    key = newId()
  })
  const send = async () => {
    const sent = new FormData(form)
    // Forms also send empty texts, and an empty file if none was chosen. The service would take them as values.
    for (const name of new Set(sent.keys())) {
      const value = sent.get(name)
      if (typeof value === 'string' ? value.trim() === '' : value?.name === '') sent.delete(name)
    }
    const place = `${BASE}/api/public/v3/recruitment/careers/vacancies/${vacancy.id}/applications`
    const answer = await fetch(account ? `${place}?account=${encodeURIComponent(account)}` : place, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: sent,
    })
    if (answer.ok) return thank(String(sent.get('email')))
    if (answer.status === 413) return tell(new Map([['resume', t('tooLarge')]]))
    if (answer.status === 429 || answer.status === 503) {
      const minutes = Math.ceil(Number(answer.headers.get('retry-after') ?? 60) / 60)
      return tell(new Map(), t('tooManyNow', { count: minutes }))
    }
    if (answer.status === 404) return tell(new Map(), t('goneTitle'))
    const { errors = [] } = (await answer.json().catch(() => ({}))) as FormProblem
    const found = errors.map(({ field, code, message }) => {
      const name = field.replace(/[[.\d].*$/, '')
      return [name as Name, IN_WORDS[`${name} ${code}`]?.() ?? (code === 'required' ? t('required') : message)] as const
    })
    const known = new Map(found.filter(([name]) => fields.some((one) => one.name === name)))
    tell(known, known.size > 0 ? undefined : t('failed'))
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (button.disabled) return
    const problems = look()
    tell(problems)
    if (problems.size > 0) return
    button.disabled = true
    button.textContent = t('sending')
    send()
      .catch(() => tell(new Map(), t('offline')))
      .finally(() => {
        button.disabled = false
        button.textContent = t('send')
      })
  })
  return form
}
