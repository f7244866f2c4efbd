import { Alert, Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Base, Problem, seenNow } from '../client/client.ts'
import { isAtFields, isKept, isSetAside } from '../client/data.ts'
import type { Fields } from '../client/fields.ts'
import { useUnsaved } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { useFieldName } from '../texts/names.ts'
import { FieldsFor } from './fields.tsx'
import { useProblems } from './problems.ts'
import { useFailureText } from './states.tsx'

/**
 * A form over the fields of a body. What the service refuses stands beside its field; what stands nowhere is shown
 * above. Only what was changed is sent on.
 */
export function Form<F extends Fields>(props: {
  fields: F
  /** Which of them, in this order; where that depends on what is entered, from the values. */
  of: readonly (keyof F & string)[] | ((values: Record<string, unknown>) => readonly (keyof F & string)[])
  /** What is there already. */
  start?: Record<string, unknown>
  /** The record to which what is entered belongs. */
  within?: Readonly<Record<string, unknown>>
  /** The tag under which it was read: `onSubmit` gets the one that the form began from, for `ifMatch`. */
  etag?: string | undefined
  onSubmit: (values: Record<string, unknown>, changed: Record<string, unknown>, base: Base | undefined) => void
  error?: unknown
  isBusy?: boolean
  /** What is sent depends on something that is still being read. */
  isWaiting?: boolean
  /** Something beside the fields has been entered. */
  isTouched?: boolean
  submitLabel?: string
  onCancel?: () => void
  /** In place of the fields' usual names. */
  labels?: Readonly<Record<string, string>>
  /** What each field is for, where its name does not say. */
  descriptions?: Readonly<Record<string, string>>
  /** Headings, each by the field that it stands before. */
  headings?: Readonly<Record<string, string>>
  /** Fields stand beside each other where there is room. */
  isWide?: boolean
  /** Before the buttons, in their line. */
  aside?: ReactNode
  /** Between the fields and the buttons, from what is entered now. */
  children?: (values: Record<string, unknown>) => ReactNode
}) {
  const { fields, of: asked, onSubmit, error, isBusy = false, isWaiting = false, isTouched = false } = props
  const { submitLabel, onCancel, labels, descriptions, headings, isWide, aside, children, within } = props
  const t = useTexts(common)
  const fieldName = useFieldName()
  const failure = useFailureText()
  const own = useRef<HTMLFormElement>(null)
  const { start, base, values, setValues, isEntered } = useEntered(props.start, props.etag, isBusy, isTouched, error)
  const of = typeof asked === 'function' ? asked(values) : asked
  const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== start[name]))
  useUnsaved(isEntered && (isTouched || Object.keys(changed).length > 0), t('unsaved'), isBusy)
  const refused = useProblems(error, values)
  // Entries by date: what is taken is the date, and by another entry.
  const isTakenDate = (name: string) =>
    fields[name]?.format === 'date' &&
    error instanceof Problem &&
    error.errors.some(({ field, code }) => field === name && code === 'taken')
  const problems = Object.fromEntries(
    Object.entries(refused).map(([name, text]) => [name, isTakenDate(name) ? t('dateTaken') : text]),
  )
  const elsewhere = Object.entries(problems).filter(([name]) => !(of as readonly string[]).includes(name))
  useEffect(() => {
    // Where the first of what is wrong stands is where one goes on.
    if (isAtFields(error)) own.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(values, changed, base)
  }
  return (
    <form ref={own} onSubmit={submit} noValidate={false} className="form">
      <Stack gap="sm">
        {elsewhere.length > 0 ? (
          <Alert color="red" role="alert">
            {elsewhere.map(([name, message]) => (
              <div key={name}>{`${labels?.[name] ?? fieldName(name)}: ${message}`}</div>
            ))}
          </Alert>
        ) : null}
        <div className={isWide ? 'form-fields form-wide' : 'form-fields'}>
          <FieldsFor
            fields={fields}
            of={of}
            values={values}
            {...(within ? { within } : {})}
            onChange={setValues}
            errors={problems}
            {...(labels ? { labels } : {})}
            {...(descriptions ? { descriptions } : {})}
            {...(headings ? { headings } : {})}
          />
        </div>
        {children?.(values)}
        {error && !isBusy && !isAtFields(error) && !isKept(error) && !isSetAside(error) ? (
          <Alert color="red" role="alert">
            {`${t('notSaved')} ${failure(error)}`}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="xs" mt="xs">
          {aside ? <div className="form-aside">{aside}</div> : null}
          {onCancel ? (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          ) : null}
          <Button type="submit" loading={isBusy} disabled={isWaiting}>
            {submitLabel ?? t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/**
 * What is entered, and what one began from. Until something is entered the form follows what is there; from then on it
 * stays with what it began from, so that what others change meanwhile is neither taken over unseen nor overwritten.
 */
function useEntered(
  given: Record<string, unknown> = {},
  etag: string | undefined,
  isBusy: boolean,
  isTouched: boolean,
  error: unknown,
) {
  const [began, setBegan] = useState({ start: given, etag })
  const [values, setValues] = useState(given)
  const [isEntered, setEntered] = useState(false)
  const wasBusy = useRef(false)
  useEffect(() => {
    // What was saved, or given up for what is there, is what one begins from next.
    if (wasBusy.current && !isBusy && (!error || isKept(error))) setEntered(false)
    wasBusy.current = isBusy
  }, [isBusy, error])
  const follows = !isEntered && (!isTouched || isKept(error)) && !isBusy
  if (follows && etag !== began.etag) {
    setBegan({ start: given, etag })
    setValues(given)
  }
  return {
    ...began,
    base: seenNow(began.etag),
    values,
    isEntered: isEntered || isTouched,
    setValues: (next: Record<string, unknown>) => {
      setEntered(true)
      setValues(next)
    },
  }
}

/** The same for a form of one's own: the tag as it was when the form was opened. */
export function useBase(etag: string | undefined): Base | undefined {
  const [began] = useState(etag)
  return seenNow(began)
}
