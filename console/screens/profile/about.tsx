import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { CreateEmployeeFieldHistory, UpdateEmployee } from '../../client/fields/employees.ts'
import type { Fields } from '../../client/fields.ts'
import { useMe } from '../../client/me.ts'
import type { EmployeeField } from '../../client/operations.ts'
import { fieldOf, fieldsUnder, labelsUnder, startUnder, withoutPrefix } from '../../parts/custom.ts'
import { CustomValue } from '../../parts/custom-value.tsx'
import { Form } from '../../parts/form.tsx'
import { PersonLine } from '../../parts/person.tsx'
import { Pairs, Section } from '../../parts/section.tsx'
import { WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Link } from '../../shell/router.tsx'
import { useScreenPath } from '../../shell/screens.ts'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { AddDialog, EditButton } from './records.tsx'
import { seenOf, startOf, useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

const CONTACT = [
  'email',
  'work_phone_number',
  'mobile_number',
  'home_phone_number',
  'personal_email',
  'slack_username',
  'skype_username',
  'linkedin_url',
  'twitter_username',
  'facebook_url',
] as const
const PERSON = [
  'first_name',
  'middle_name',
  'last_name',
  'employee_number',
  'date_of_birth',
  'gender_id',
  'hired_on',
  'probation_ends_on',
] as const
const JOB = [
  'position',
  'department',
  'location',
  'division',
  'job_level',
  'job_profile',
  'legal_entity',
  'employment_type',
  'working_pattern',
] as const

export function About({ onChangeJob }: { onChangeJob: () => void }) {
  const t = useTexts(profileTexts)
  const fieldName = useFieldName()
  const { employee, may, mayChange } = useProfile()
  const { employee: own } = useMe()
  const formats = useFormats()
  const { weekly_hours: hours, full_time_equivalent: part } = employee
  const weeklyHours =
    hours === null || part === null
      ? undefined
      : t('weeklyHoursOf', { hours: formats.number(hours), part: formats.percent(part) })
  return (
    <div className="profile-columns">
      <Stack gap="md" miw={0}>
        <Section
          title={t('employment')}
          actions={
            mayChange('employees:write') ? (
              <EditButton label={t('editSection', { name: t('employment') })} onClick={onChangeJob} />
            ) : null
          }
        >
          <Pairs
            of={[
              ...JOB.map((name) => [fieldName(name), employee[name]?.name] as const),
              [t('weeklyHours'), weeklyHours] as const,
            ]}
          />
        </Section>
        <InPlace title={t('contact')} of={CONTACT} />
        <InPlace title={t('person')} of={PERSON} />
        <CustomFields />
        {own?.id === employee.id && !may('employees:write') ? (
          <Text size="sm" c="dimmed">
            {t('askHr')}
          </Text>
        ) : null}
      </Stack>
      <Stack gap="md" miw={0}>
        <ManagerAndReports />
      </Stack>
    </div>
  )
}

/** A section with fields, and a form to edit them. Only changed fields are sent. */
function InPlace({ title, of }: { title: string; of: readonly (keyof typeof UpdateEmployee)[] }) {
  const t = useTexts(profileTexts)
  const fieldName = useFieldName()
  const { id, employee, etag, mayChange, sees } = useProfile()
  const [isEditing, setEditing] = useState(false)
  const save = useWrite('PUT /employees/{id}', { done: t('saved'), onSuccess: () => setEditing(false) })
  const names = seenOf(UpdateEmployee, of, sees)
  const filled = names.filter((name) => employee[name.replace(/_id$/, '') as keyof typeof employee])
  if (isEditing)
    return (
      <Section title={title}>
        <Form
          fields={UpdateEmployee}
          of={names}
          start={startOf(names, employee)}
          error={save.error}
          isBusy={save.isPending}
          onCancel={() => setEditing(false)}
          etag={etag}
          onSubmit={(_, changed, ifMatch) =>
            Object.keys(changed).length > 0
              ? save.mutate({ params: { id }, body: changed, ifMatch })
              : setEditing(false)
          }
        />
      </Section>
    )
  return (
    <Section
      title={title}
      actions={
        mayChange('employees:write') ? (
          <EditButton label={t('editSection', { name: title })} onClick={() => setEditing(true)} />
        ) : null
      }
    >
      {filled.length > 0 ? (
        <Pairs of={filled.map((name) => [fieldName(name), <Plain key={name} name={name} />] as const)} />
      ) : (
        <Text c="dimmed">{t('nothing')}</Text>
      )}
    </Section>
  )
}

function Plain({ name }: { name: keyof typeof UpdateEmployee }): ReactNode {
  const { day } = useFormats()
  const valueName = useValueName()
  const { employee } = useProfile()
  const { format } = UpdateEmployee[name] as Fields[string]
  const value = employee[name.replace(/_id$/, '') as keyof typeof employee] as unknown
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'object') return valueName((value as { name: string }).name)
  if (format === 'date') return day(String(value))
  if (format === 'email') return <Anchor href={`mailto:${value}`}>{String(value)}</Anchor>
  if (format === 'uri')
    return (
      <Anchor href={String(value)} target="_blank" rel="noreferrer">
        {String(value).replace(/^https?:\/\/(www\.)?/, '')}
      </Anchor>
    )
  if (name.includes('phone') || name.includes('mobile'))
    return <Anchor href={`tel:${String(value).replaceAll(/[^\d+]/g, '')}`}>{String(value)}</Anchor>
  return String(value)
}

/** The company's custom fields by group. Values with dates are changed from a day on. */
function CustomFields() {
  const { sees } = useProfile()
  const read = useRead('GET /employee_fields', { query: { per_page: 200 } })
  return (
    <WhenLoaded of={read}>
      {({ data }) =>
        [
          ...Map.groupBy(
            data.filter(({ protection }) => sees(protection ?? '')),
            ({ group }) => group.id,
          ).values(),
        ].map((fields) => <CustomGroup key={fields[0]?.group.id} fields={fields} />)
      }
    </WhenLoaded>
  )
}

function CustomGroup({ fields }: { fields: EmployeeField[] }) {
  const t = useTexts(profileTexts)
  const { id, employee, etag, mayChange } = useProfile()
  const [isEditing, setEditing] = useState(false)
  const [dated, setDated] = useState<EmployeeField>()
  const save = useWrite('PUT /employees/{id}', { done: t('saved'), onSuccess: () => setEditing(false) })
  const title = fields[0]?.group.name ?? ''
  const plain = fields.filter(({ historical }) => !historical)
  const shown = employee.fields as Record<string, { value: unknown } | undefined>
  const values = Object.fromEntries(Object.entries(shown).map(([name, one]) => [name, one?.value]))
  if (isEditing)
    return (
      <Section title={title}>
        <Form
          fields={fieldsUnder('fields', plain)}
          labels={labelsUnder('fields', plain)}
          of={plain.map(({ internal_name }) => `fields.${internal_name}`)}
          start={startUnder('fields', plain, values)}
          error={save.error}
          isBusy={save.isPending}
          onCancel={() => setEditing(false)}
          etag={etag}
          onSubmit={(_, changed, ifMatch) =>
            Object.keys(changed).length > 0
              ? save.mutate({ params: { id }, body: { fields: withoutPrefix('fields', changed) }, ifMatch })
              : setEditing(false)
          }
        />
      </Section>
    )
  const isOpenToChange = mayChange('employees:write')
  return (
    <Section
      title={title}
      actions={
        isOpenToChange && plain.length > 0 ? (
          <EditButton label={t('editSection', { name: title })} onClick={() => setEditing(true)} />
        ) : null
      }
    >
      <Pairs
        of={fields.map(
          (one) =>
            [
              one.name,
              <Group key={one.id} gap={4} wrap="nowrap">
                <span>
                  <CustomValue of={one} value={values[one.internal_name]} />
                </span>
                {one.historical && isOpenToChange ? (
                  <EditButton label={t('changeField', { name: one.name })} onClick={() => setDated(one)} />
                ) : null}
              </Group>,
            ] as const,
        )}
      />
      {dated ? (
        <AddDialog
          kind="field_histories"
          title={t('changeField', { name: dated.name })}
          note={t('fromDay')}
          fields={{ effective_on: CreateEmployeeFieldHistory.effective_on, value: fieldOf(dated) }}
          of={['effective_on', 'value']}
          labels={{ value: dated.name }}
          start={{ effective_on: today(), value: values[dated.internal_name] ?? null }}
          compose={(sent) => ({ ...sent, employee_field_internal_name: dated.internal_name })}
          onClose={() => setDated(undefined)}
        />
      ) : null}
    </Section>
  )
}

/** The manager and the direct reports. */
function ManagerAndReports() {
  const t = useTexts(profileTexts)
  const fieldName = useFieldName()
  const [isWhole, setWhole] = useState(false)
  const { id, employee } = useProfile()
  const chart = useScreenPath()('orgChart')
  const reports = employee.direct_reports ?? []
  return (
    <Section
      title={t('people')}
      actions={
        chart ? (
          <Link to={`${chart}?person=${id}`} className="profile-link">
            {t('seeOrgChart')}
          </Link>
        ) : null
      }
    >
      <Stack gap="md">
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            {fieldName('reporting_to')}
          </Text>
          {employee.reporting_to ? (
            <PersonLine of={employee.reporting_to} beneath={employee.reporting_to.email} />
          ) : (
            <Text>–</Text>
          )}
        </div>
        {reports.length > 0 ? (
          <div>
            <Text size="sm" c="dimmed" mb={6}>
              {t('reports', { count: reports.length })}
            </Text>
            <Stack gap="xs">
              {(isWhole ? reports : reports.slice(0, 8)).map((one) => (
                <PersonLine key={one.id} of={one} />
              ))}
              {reports.length > 8 && !isWhole ? (
                <Button
                  variant="subtle"
                  size="compact-md"
                  leftSection={<Icon name="expand" />}
                  onClick={() => setWhole(true)}
                >
                  {t('more')}
                </Button>
              ) : null}
            </Stack>
          </div>
        ) : null}
      </Stack>
    </Section>
  )
}
