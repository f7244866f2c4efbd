import {
  ActionIcon,
  Button,
  Checkbox,
  FileInput,
  Group,
  Input,
  MultiSelect,
  Select,
  Skeleton,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { Fragment, lazy, type ReactNode, Suspense, useMemo } from 'react'
import { COUNTRIES } from '../client/countries.ts'
import { useRead } from '../client/data.ts'
import type { Field, Fields } from '../client/fields.ts'
import { useMe } from '../client/me.ts'
import { Icon } from '../shell/icons.tsx'
import { common } from '../texts/common.ts'
import { useLocale, useTexts } from '../texts/i18n.ts'
import { useFieldName, useValueName } from '../texts/names.ts'
import { NumberField } from './number-field.tsx'
import {
  PATHS,
  PeopleSelect,
  type RecordOption,
  RecordSelect,
  type RecordSelectProps,
  titleOf,
} from './record-select.tsx'
import { RegionSelect } from './regions.tsx'
import { useRoleName } from './roles.ts'
import { Secret } from './secret.tsx'

export { RecordSelect }

/** Loaded when needed, because few forms use it. */
const RichText = lazy(() => import('./rich-text.tsx'))

/** Inputs built from what the API says about a field, so that rules are not written twice. */

export type FieldInput = {
  name: string
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  error?: string | undefined
  /** Replaces the field's usual label. */
  label?: string
  description?: ReactNode
  autoFocus?: boolean
  disabled?: boolean
  /** All values of the form, and the parent record if there is one. */
  others?: Readonly<Record<string, unknown>>
}

export function FieldFor(props: FieldInput) {
  const { name, field, value, onChange, error, label, description, autoFocus, disabled, others = {} } = props
  const fieldName = useFieldName()
  const valueName = useValueName()
  const t = useTexts(common)
  const usual = {
    label: label ?? fieldName(name),
    error,
    name,
    'data-autofocus': autoFocus || undefined,
    ...(description ? { description } : {}),
    ...(field.required ? { required: true } : {}),
    ...(disabled ? { disabled } : {}),
  }
  const text = (value ?? '') as string
  const orNull = (sent: string) => (sent === '' && field.nullable ? null : sent)
  if (field.reference)
    return <RecordSelect {...usual} table={field.reference} value={value as number | null} onChange={onChange} />
  if (field.values)
    return (
      <Select
        {...usual}
        data={field.values.map((one) => ({ value: String(one), label: valueName(one) }))}
        value={value === null || value === undefined ? null : String(value)}
        onChange={(chosen) => onChange(field.values?.find((one) => String(one) === chosen) ?? null)}
        clearable={Boolean(field.nullable) && !field.required}
        searchable={field.values.length > 8}
        nothingFoundMessage={t('nothingFound')}
      />
    )
  if (field.type === 'boolean')
    return <Checkbox {...usual} checked={Boolean(value)} onChange={(event) => onChange(event.currentTarget.checked)} />
  if (field.type === 'array' && field.items?.values)
    return (
      <MultiSelect
        {...usual}
        data={field.items.values.map((one) => ({ value: String(one), label: valueName(one) }))}
        value={((value as unknown[]) ?? []).map(String)}
        onChange={onChange}
      />
    )
  if (field.type === 'array' && field.items?.reference === 'employees')
    return <PeopleSelect {...usual} value={(value as number[]) ?? []} onChange={onChange} />
  if (field.type === 'array' && field.items?.reference)
    return (
      <RecordsSelect {...usual} table={field.items.reference} value={(value as number[]) ?? []} onChange={onChange} />
    )
  if (field.type === 'array' && field.items?.fields)
    return <ObjectList {...usual} fields={field.items.fields} value={(value as Values[]) ?? []} onChange={onChange} />
  if (field.type === 'array' && field.items?.type === 'string')
    return <TagsInput {...usual} value={(value as string[]) ?? []} onChange={onChange} splitChars={[',', ';']} />
  if (field.format === 'region')
    return <RegionSelect {...usual} value={(value as string | null) ?? null} onChange={onChange} of={others} />
  if (KNOWN_CODES[field.format ?? ''])
    return (
      <CodeSelect
        {...usual}
        format={field.format as string}
        value={(value as string | null) ?? null}
        onChange={onChange}
      />
    )
  if (field.type === 'integer' || field.type === 'number' || field.format === 'decimal')
    return (
      <NumberField
        {...usual}
        value={value as string | number | null}
        onChange={(sent) =>
          onChange(field.format === 'decimal' ? (sent === null ? orNull('') : sent) : sent && Number(sent))
        }
        isWhole={field.type === 'integer'}
        isMoney={field.group === 'compensation'}
        isUngrouped={/(^|_)year$/.test(name)}
      />
    )
  if (field.type === 'file')
    return (
      <FileInput {...usual} value={(value as File | null) ?? null} onChange={onChange} placeholder={t('chooseFile')} />
    )
  if (name.includes('password'))
    return <Secret {...usual} value={text} onChange={(event) => onChange(event.currentTarget.value)} />
  const limit = field.maxLength ? { maxLength: field.maxLength } : {}
  const change = (event: { currentTarget: { value: string } }) => onChange(orNull(event.currentTarget.value))
  if (field.format === 'html')
    return (
      <Suspense fallback={<Skeleton height={210} />}>
        <RichText {...usual} {...limit} value={text} onChange={(html) => onChange(orNull(html))} />
      </Suspense>
    )
  if (field.format === 'text' || (field.maxLength ?? 0) > 2048)
    return <Textarea {...usual} {...limit} autosize minRows={2} maxRows={10} value={text} onChange={change} />
  if (field.format === 'date-time')
    return (
      <TextInput
        {...usual}
        type="datetime-local"
        value={text ? localOf(text) : ''}
        onChange={({ currentTarget: { value: sent } }) => onChange(sent ? new Date(sent).toISOString() : orNull(''))}
      />
    )
  const type = { date: 'date', email: 'email', uri: 'url', time: 'time' }[field.format ?? ''] ?? 'text'
  return (
    <TextInput
      {...usual}
      {...limit}
      type={type}
      value={text}
      onChange={change}
      {...(/colou?r$/.test(name)
        ? { leftSection: <span className="swatch" style={{ background: text }} />, placeholder: '#1f5f5b' }
        : {})}
    />
  )
}

/** A timestamp in the format of the browser's input, in the user's time zone. */
function localOf(moment: string): string {
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Formats of which the browser knows all values and their localised names. */
const KNOWN_CODES: Record<string, { all: () => string[]; type?: 'region' | 'currency' }> = {
  country: { all: () => COUNTRIES, type: 'region' },
  currency: { all: () => Intl.supportedValuesOf('currency'), type: 'currency' },
  'time-zone': { all: () => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((one) => one !== 'UTC')] },
}

/** `DE` → Germany. */
export function codeName(format: string, code: string, locale: string): string {
  const type = KNOWN_CODES[format]?.type
  return (type && new Intl.DisplayNames(locale, { type, fallback: 'code' }).of(code)) ?? code
}

type CodeSelectProps = Omit<RecordSelectProps, 'table' | 'value' | 'onChange'> & {
  format: string
  value: string | null
  onChange: (code: string | null) => void
}

function CodeSelect({ format, value, onChange, ...rest }: CodeSelectProps) {
  const t = useTexts(common)
  const locale = useLocale()
  const known = useMemo(() => {
    const codes = KNOWN_CODES[format]?.all() ?? []
    const all = value && !codes.includes(value) ? [value, ...codes] : codes
    const named = all.map((code) => ({ value: code, label: codeName(format, code, locale) }))
    return named.sort((one, other) => one.label.localeCompare(other.label, locale))
  }, [format, value, locale])
  return (
    <Select
      {...rest}
      data={known}
      value={value}
      onChange={onChange}
      searchable
      limit={100}
      clearable={!rest.required}
      nothingFoundMessage={t('nothingFound')}
    />
  )
}

/** Inputs for the fields of a body, in this order: `<FieldsFor fields={CreateTeam} of={['name', 'description']} …>`. */
export function FieldsFor<F extends Fields>(props: {
  fields: F
  of: readonly (keyof F & string)[]
  values: Record<string, unknown>
  /** The parent record. */
  within?: Readonly<Record<string, unknown>>
  onChange: (values: Record<string, unknown>) => void
  errors?: Record<string, string>
  /** Labels that replace the fields' usual ones. */
  labels?: Readonly<Record<string, string>>
  /** Help texts for fields whose names do not explain them. */
  descriptions?: Readonly<Record<string, string>>
  /** Headings, by the name of the field below them. */
  headings?: Readonly<Record<string, string>>
}) {
  const { fields, of, values, onChange, errors = {}, labels = {}, descriptions = {}, headings = {}, within } = props
  const { withheld } = useMe()
  return of
    .filter((name) => !withheld.includes((fields[name] as Field).group ?? ''))
    .map((name, index) => (
      <Fragment key={name}>
        {headings[name] ? <h2 className="form-heading">{headings[name]}</h2> : null}
        <FieldFor
          name={name}
          field={fields[name] as Field}
          others={{ ...within, ...values }}
          value={values[name]}
          onChange={(value) => onChange({ ...values, [name]: value })}
          error={errors[name]}
          autoFocus={index === 0}
          {...(labels[name] ? { label: labels[name] } : {})}
          {...(descriptions[name] ? { description: descriptions[name] } : {})}
        />
      </Fragment>
    ))
}

type RecordsSelectProps = Omit<RecordSelectProps, 'value' | 'onChange'> & {
  value: readonly number[]
  onChange: (ids: number[]) => void
}

/** Selects several records of a list that is short enough to load completely. */
export function RecordsSelect({ table, value, onChange, ...rest }: RecordsSelectProps) {
  const t = useTexts(common)
  const { nameOf: roleName } = useRoleName()
  const path = PATHS[table] ?? `/${table}`
  // The path is only known at run time. A screen that reads the same list shares the answer.
  const { answer } = useRead(`GET ${path}` as 'GET /roles', { query: { per_page: 200 } })
  const data: readonly RecordOption[] = answer?.data ?? []
  return (
    <MultiSelect
      {...rest}
      data={data.map((one) => ({
        value: String(one.id),
        label: table === 'roles' ? roleName(one as { name: string }) : titleOf(one),
      }))}
      value={data.length > 0 ? value.map(String) : []}
      onChange={(ids) => onChange(ids.map(Number))}
      searchable
      nothingFoundMessage={t('nothingFound')}
    />
  )
}

type Values = Readonly<Record<string, unknown>>

/** A short list of objects, one per line. */
function ObjectList(props: {
  label: string
  name: string
  description?: ReactNode
  error?: string | undefined
  fields: Fields
  value: readonly Values[]
  onChange: (value: unknown) => void
}) {
  const { label, name, description, error, fields, value, onChange } = props
  const t = useTexts(common)
  const change = (at: number, values: Values) => onChange(value.map((one, n) => (n === at ? values : one)))
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" data-field={name}>
        {value.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the objects have no id
          <Group key={at} gap="xs" align="end" wrap="nowrap" role="group" aria-label={`${label} ${at + 1}`}>
            {Object.entries(fields).map(([inner, field]) => (
              <FieldFor
                key={inner}
                name={inner}
                field={field}
                value={one[inner]}
                onChange={(next) => change(at, { ...one, [inner]: next })}
              />
            ))}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`${t('delete')}: ${label} ${at + 1}`}
              onClick={() => onChange(value.filter((_, n) => n !== at))}
            >
              <Icon name="close" size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'start' }}
          aria-label={`${t('add')}: ${label}`}
          onClick={() => onChange([...value, {}])}
        >
          {t('add')}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
