import { Alert, Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { asBaseTag, type BaseTag, Problem } from '../client/client.ts'
import { hasChosenTheirs, hasGoneBack, isAtFields } from '../client/data.ts'
import type { Fields } from '../client/fields.ts'
import { useUnsaved } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { FieldsFor } from './fields.tsx'
import { useFieldPlace, useProblems } from './problems.ts'
import { useFailureText } from './states.tsx'

/**
 * A form for the fields of a body. Errors appear at their fields; errors of fields that the form does not show appear
 * at the top. Only changed values are passed on.
 */
export function Form<F extends Fields>(props: {
  fields: F
  /** The fields to show, in this order. It can depend on the values. */
  of: readonly (keyof F & string)[] | ((values: Record<string, unknown>) => readonly (keyof F & string)[])
  /** The current values of the record. */
  start?: Record<string, unknown>
  /** The parent record. */
  within?: Readonly<Record<string, unknown>>
  /** The tag of the record that was read. `onSubmit` gets the tag with which the user began, for `ifMatch`. */
  etag?: string | undefined
  onSubmit: (values: Record<string, unknown>, changed: Record<string, unknown>, base: BaseTag | undefined) => void
  error?: unknown
  isBusy?: boolean
  /** Data that the request depends on is still loading. */
  isWaiting?: boolean
  /** Inputs outside the fields have been changed. */
  isTouched?: boolean
  submitLabel?: string
  onCancel?: () => void
  /** Labels that replace the fields' usual ones. */
  labels?: Readonly<Record<string, string>>
  /** Help texts for fields whose names do not explain them. */
  descriptions?: Readonly<Record<string, string>>
  /** Headings, by the name of the field below them. */
  headings?: Readonly<Record<string, string>>
  /** Show fields side by side if there is room. */
  isWide?: boolean
  /** Shown in the line of the buttons, before them. */
  aside?: ReactNode
  /** Shown between the fields and the buttons, for the current values. */
  children?: (values: Record<string, unknown>) => ReactNode
}) {
  const { fields, of: asked, onSubmit, error, isBusy = false, isWaiting = false, isTouched = false } = props
  const { submitLabel, onCancel, labels, descriptions, headings, isWide, aside, children, within } = props
  const t = useTexts(common)
  const place = useFieldPlace()
  const failure = useFailureText()
  const own = useRef<HTMLFormElement>(null)
  const { start, base, values, setValues, isEntered } = useEntered(props.start, props.etag, isBusy, isTouched, error)
  const of = typeof asked === 'function' ? asked(values) : asked
  const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== start[name]))
  useUnsaved(isEntered && (isTouched || Object.keys(changed).length > 0), t('unsaved'), isBusy)
  const refused = useProblems(error, values)
  // Records by date: "taken" means that there already is one for the date.
  const isTakenDate = (name: string) =>
    fields[name]?.format === 'date' &&
    error instanceof Problem &&
    error.errors.some(({ field, code }) => field === name && code === 'taken')
  const problems = Object.fromEntries(
    Object.entries(refused).map(([name, text]) => [name, isTakenDate(name) ? t('dateTaken') : text]),
  )
  const elsewhere = Object.entries(problems).filter(([name]) => !(of as readonly string[]).includes(name))
  useEffect(() => {
    // Move the focus to the first field with an error.
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
              <div key={name}>{`${place(name, labels)}: ${message}`}</div>
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
        {error && !isBusy && !isAtFields(error) && !hasChosenTheirs(error) && !hasGoneBack(error) ? (
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
 * The entered values, and the values with which the user began. Until the user enters something, the form follows the
 * record. After that it keeps its state, so that changes by others are neither taken over unnoticed nor overwritten.
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
    // After saving, or after keeping the values of somebody else, the form follows the record again.
    if (wasBusy.current && !isBusy && (!error || hasChosenTheirs(error))) setEntered(false)
    wasBusy.current = isBusy
  }, [isBusy, error])
  const follows = !isEntered && (!isTouched || hasChosenTheirs(error)) && !isBusy
  if (follows && etag !== began.etag) {
    setBegan({ start: given, etag })
    setValues(given)
  }
  return {
    ...began,
    base: asBaseTag(began.etag),
    values,
    isEntered: isEntered || isTouched,
    setValues: (next: Record<string, unknown>) => {
      setEntered(true)
      setValues(next)
    },
  }
}

/** The same for other forms: the tag when the form was opened. */
export function useBaseTag(etag: string | undefined): BaseTag | undefined {
  const [began] = useState(etag)
  return asBaseTag(began)
}
