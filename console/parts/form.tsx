import { Alert, Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { problemsOf } from '../client/data.ts'
import type { Fields } from '../client/fields.ts'
import { useUnsaved } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { FieldsFor } from './fields.tsx'

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
  onSubmit: (values: Record<string, unknown>, changed: Record<string, unknown>) => void
  error?: unknown
  isBusy?: boolean
  submitLabel?: string
  onCancel?: () => void
  /** In place of the fields' usual names. */
  labels?: Readonly<Record<string, string>>
  /** Headings, each by the field that it stands before. */
  headings?: Readonly<Record<string, string>>
  /** Fields stand beside each other where there is room. */
  isWide?: boolean
  /** Before the buttons, in their line. */
  aside?: ReactNode
  /** Between the fields and the buttons, from what is entered now. */
  children?: (values: Record<string, unknown>) => ReactNode
}) {
  const {
    fields,
    of: asked,
    onSubmit,
    error,
    isBusy,
    submitLabel,
    onCancel,
    labels,
    headings,
    isWide,
    aside,
    children,
  } = props
  const t = useTexts(common)
  // As it was when one began: what comes later is another form.
  const [start] = useState(props.start ?? {})
  const [values, setValues] = useState(start)
  const of = typeof asked === 'function' ? asked(values) : asked
  const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== start[name]))
  useUnsaved(Object.keys(changed).length > 0 && !isBusy, t('unsaved'))
  const problems = problemsOf(error)
  const elsewhere = Object.entries(problems).filter(([name]) => !(of as readonly string[]).includes(name))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(values, changed)
  }
  return (
    <form onSubmit={submit} noValidate={false}>
      <Stack gap="sm">
        {elsewhere.length > 0 ? (
          <Alert color="red" role="alert">
            {elsewhere.map(([name, message]) => (
              <div key={name}>{`${name} ${message}`}</div>
            ))}
          </Alert>
        ) : null}
        <div className={isWide ? 'form-fields form-wide' : 'form-fields'}>
          <FieldsFor
            fields={fields}
            of={of}
            values={values}
            onChange={setValues}
            errors={problems}
            {...(labels ? { labels } : {})}
            {...(headings ? { headings } : {})}
          />
        </div>
        {children?.(values)}
        <Group justify="flex-end" gap="xs" mt="xs">
          {aside ? <div className="form-aside">{aside}</div> : null}
          {onCancel ? (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          ) : null}
          <Button type="submit" loading={isBusy ?? false}>
            {submitLabel ?? t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
