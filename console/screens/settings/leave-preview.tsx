import { Alert, Button, Group, NumberInput, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { preview } from '../../client/client.ts'
import { isAtFields } from '../../client/data.ts'
import type { LeaveEffect, LeaveExample, LeavePolicyEffects } from '../../client/operations.ts'
import { Figure } from '../../parts/figure.tsx'
import { useLeaveAmount } from '../../parts/leave-amount.ts'
import { usePeople } from '../../parts/people.ts'
import { nameOf } from '../../parts/person.tsx'
import { useFieldPlace, useProblems } from '../../parts/problems.ts'
import { chosenQuery } from '../../parts/record-select.tsx'
import type { PreviewProps } from '../../parts/records/kinds.ts'
import { useFailureText } from '../../parts/states.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { leavePreviewTexts } from './leave-preview-texts.ts'

/** What the rules in the form mean: for an example person, and for the people who have the policy. */

const MOST_ROWS = 20

export function LeavePolicyPreview(props: PreviewProps) {
  const { record, within, values } = props
  const t = useTexts(leavePreviewTexts)
  const [person, setPerson] = useState(FULL_TIME)
  const policy = { ...(within ?? record), ...values }
  const leaveTypeId = Number(policy.leave_type_id) || 0
  const { data: type } = useQuery(chosenQuery('leave_types', leaveTypeId))
  const { effects, error } = useEffects(props, person, leaveTypeId > 0)
  const unit = (type as { unit?: string } | undefined)?.unit ?? 'days'
  const isAccrual = policy.type === 'accrual'
  const isByHours = policy.credit === 'hours_worked'
  const hasAgeSteps = Array.isArray(policy.age_steps) && policy.age_steps.length > 0
  const isStored = Boolean(record || within)
  if (!isAccrual && !isStored) return null
  const hint = leaveTypeId === 0 ? t('chooseType') : person.hiredOn ? '' : t('enterDate')
  return (
    <>
      {effects ? <PreviewLine effects={effects} unit={unit} isInDialog={Boolean(within)} /> : null}
      {error ? <Refusal error={error} values={values} /> : null}
      {isAccrual ? (
        <section aria-label={t('example')} onKeyDown={keepForm}>
          <h2 className="form-heading">{t('example')}</h2>
          <Group gap="sm" align="end" mb="xs">
            <TextInput
              type="date"
              label={t('hiredOn')}
              value={person.hiredOn}
              onChange={(event) => setPerson({ ...person, hiredOn: event.currentTarget.value })}
            />
            {hasAgeSteps ? (
              <TextInput
                type="date"
                label={t('bornOn')}
                value={person.bornOn}
                onChange={(event) => setPerson({ ...person, bornOn: event.currentTarget.value })}
              />
            ) : null}
            {policy.part_time === 'by_hours' || isByHours ? (
              <WeekInput
                label={t('hours')}
                max={168}
                value={person.hours}
                onChange={(hours) => setPerson({ ...person, hours })}
              />
            ) : null}
            {policy.part_time === 'by_days' && !isByHours ? (
              <WeekInput
                label={t('days')}
                max={7}
                value={person.days}
                onChange={(days) => setPerson({ ...person, days })}
              />
            ) : null}
          </Group>
          {effects?.example ? (
            <Example example={effects.example} unit={unit} isScaled={policy.part_time !== 'same' && !isByHours} />
          ) : (
            <Text c="dimmed" size="sm">
              {hint}
            </Text>
          )}
        </section>
      ) : null}
      {isStored && !error ? (
        <EffectsOnPeople effects={effects} unit={unit} isChange={Boolean(record && !within)} />
      ) : null}
    </>
  )
}

/** Enter in the example does not save the policy. */
const keepForm = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

/** Why there is nothing to show: what would also be wrong when the form is saved. */
function Refusal({ error, values }: { error: unknown; values: Record<string, unknown> }) {
  const failure = useFailureText()
  const place = useFieldPlace()
  const problems = Object.entries(useProblems(error, values))
  return (
    <Alert color="red">
      {isAtFields(error) && problems.length > 0
        ? problems.map(([name, text]) => <div key={name}>{`${place(name)}: ${text}`}</div>)
        : failure(error)}
    </Alert>
  )
}

/** The result in one line, which stays in view while HR changes the fields above. */
function PreviewLine(props: { effects: LeavePolicyEffects; unit: string; isInDialog: boolean }) {
  const { effects, unit, isInDialog } = props
  const t = useTexts(leavePreviewTexts)
  const amount = useLeaveAmount()
  const { day } = useFormats()
  const { example, gaining, losing } = effects
  const parts = [
    ...(example
      ? [
          t('line', {
            day: day(example.hired_on),
            amount: amount(example.entitled, unit),
            year: String(example.year),
          }),
        ]
      : []),
    ...(gaining > 0 ? [`${t('gaining')}: ${gaining}`] : []),
    ...(losing > 0 ? [`${t('losing')}: ${losing}`] : []),
  ]
  // The buttons of a dialog stay at its lower edge.
  const className = isInDialog ? 'leave-preview-line leave-preview-above' : 'leave-preview-line'
  return parts.length > 0 ? <div className={className}>{parts.join(' · ')}</div> : null
}

type ExamplePerson = { hiredOn: string; bornOn: string; hours: number | ''; days: number | '' }
const FULL_TIME: ExamplePerson = {
  hiredOn: `${Number(today().slice(0, 4)) - 7}-01-31`,
  bornOn: '',
  hours: '',
  days: '',
}

function WeekInput(props: { label: string; max: number; value: number | ''; onChange: (value: number | '') => void }) {
  const t = useTexts(leavePreviewTexts)
  const { onChange, ...rest } = props
  return (
    <NumberInput
      {...rest}
      min={0}
      decimalScale={2}
      clampBehavior="strict"
      placeholder={t('fullTime')}
      w={130}
      onChange={(value) => onChange(typeof value === 'number' ? value : '')}
    />
  )
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** A step that was just added has no values yet. The example leaves it out until it has. */
function withoutUnfinishedSteps(values: Record<string, unknown>): Record<string, unknown> {
  const finished = (steps: unknown, from: string) =>
    Array.isArray(steps) ? steps.filter((one) => !isEmpty(one[from]) && !isEmpty(one.yearly_amount)) : steps
  return {
    ...values,
    ...('tenure_steps' in values ? { tenure_steps: finished(values.tenure_steps, 'years') } : {}),
    ...('age_steps' in values ? { age_steps: finished(values.age_steps, 'age') } : {}),
  }
}

/** A dry run of the form. Nothing is stored. */
function useEffects({ path, params, record, values }: PreviewProps, person: ExamplePerson, isReady: boolean) {
  const query = {
    ...(person.hiredOn ? { example_hired_on: person.hiredOn } : {}),
    ...(person.bornOn ? { example_date_of_birth: person.bornOn } : {}),
    ...(person.hours === '' ? {} : { example_weekly_hours: person.hours }),
    ...(person.days === '' ? {} : { example_working_days: person.days }),
  }
  const known = withoutUnfinishedSteps(values)
  // A new policy may have no name yet.
  const body = record ? known : { ...known, name: values.name || 'Example 0f6c1f0e' }
  const request = JSON.stringify({ path, params, id: record?.id, query, body })
  const [settled] = useDebouncedValue(request, 400)
  const { data, error } = useQuery({
    queryKey: ['leave policy dry run', settled],
    queryFn: async () => {
      const { path, params, id, query, body } = JSON.parse(settled)
      const route = `${id ? 'PUT' : 'POST'} ${path}${id ? '/{id}' : ''}` as 'PUT /leave_policies/{id}'
      return (await preview(route, { params: { ...params, id }, query, body })).effects ?? null
    },
    enabled: isReady && settled === request,
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: (before) => before,
  })
  return { effects: error ? undefined : data, error }
}

function Example(props: { example: NonNullable<LeaveExample>; unit: string; isScaled: boolean }) {
  const { example, unit, isScaled } = props
  const t = useTexts(leavePreviewTexts)
  const amount = useLeaveAmount()
  const { day, number } = useFormats()
  const { year, entitled, unrounded, years_of_service: years, age, parts } = example
  // A pay period can end in the next year.
  const short = (date: string) =>
    date.startsWith(`${year}-`) ? day(date, { day: 'numeric', month: 'short' }) : day(date)
  const rounded = (count: number) => number(Math.round(count * 100) / 100)
  const lines = parts.map((part) => {
    const period = { from: short(part.starts_on), until: short(part.ends_on) }
    const { yearly_amount: yearly, rate, months, pay_periods: count, pay_periods_in_year: all, hours_worked } = part
    if (hours_worked !== null) {
      const given = { hours: rounded(hours_worked), amount: amount((rate * months) / 12, unit) }
      const limit = yearly === null ? [] : [t('yearlyLimit', { amount: amount(yearly, unit) })]
      return [t('hoursWorked', { ...period, ...given }), ...limit].join(' · ')
    }
    return [
      isScaled
        ? t('fullTimeAmount', { ...period, amount: amount(yearly ?? 0, unit) })
        : t('yearlyAmount', { ...period, amount: amount(rate, unit) }),
      ...(!isScaled || rate === yearly ? [] : [t('rate', { amount: amount(rate, unit) })]),
      ...(count !== null && count !== all ? [t('payPeriods', { count: rounded(count), all: String(all) })] : []),
      ...(count !== null || months === 12 ? [] : [t('months', { months: rounded(months) })]),
    ].join(' · ')
  })
  const service = t('service', { years: String(years) })
  return (
    <Stack gap={4} aria-live="polite">
      <Figure
        name={t('entitled', { year: String(year) })}
        beneath={age === null ? service : `${service} · ${t('age', { age: String(age) })}`}
      >
        {amount(entitled, unit)}
      </Figure>
      {lines.length === 0 ? <Text size="sm">{t('none')}</Text> : null}
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      {Math.abs(unrounded - entitled) >= 0.005 ? (
        <Text size="sm">{t('rounded', { unrounded: amount(unrounded, unit) })}</Text>
      ) : null}
    </Stack>
  )
}

function EffectsOnPeople(props: {
  effects: LeavePolicyEffects | null | undefined
  unit: string
  /** A change of the policy itself applies from today. */
  isChange: boolean
}) {
  const { effects, unit, isChange } = props
  const t = useTexts(leavePreviewTexts)
  const { day } = useFormats()
  const [isWhole, setWhole] = useState(false)
  const people = effects?.people ?? []
  const [year = 0, next = 0] = effects?.years ?? []
  return (
    <section aria-label={t('effects')}>
      <h2 className="form-heading">{t('effects')}</h2>
      {isChange ? (
        <Text c="dimmed" size="sm" mb="xs">
          {t('fromToday', { day: day(today()) })}
        </Text>
      ) : null}
      {!effects ? (
        <Skeleton height={40} />
      ) : people.length === 0 ? (
        <Text c="dimmed" size="sm">
          {t('unchanged', { year: String(year), next: String(next) })}
        </Text>
      ) : (
        <Stack gap="xs">
          <Group gap="xl">
            <Figure name={t('gaining')}>{String(effects.gaining)}</Figure>
            <Figure name={t('losing')}>{String(effects.losing)}</Figure>
          </Group>
          <EffectTable rows={isWhole ? people : people.slice(0, MOST_ROWS)} unit={unit} />
          {!isWhole && people.length > MOST_ROWS ? (
            <Button variant="default" size="xs" onClick={() => setWhole(true)}>
              {t('showAll', { count: String(people.length) })}
            </Button>
          ) : null}
        </Stack>
      )}
    </section>
  )
}

function EffectTable({ rows, unit }: { rows: readonly LeaveEffect[]; unit: string }) {
  const t = useTexts(leavePreviewTexts)
  const amount = useLeaveAmount()
  const { people } = usePeople(rows.map((one) => one.employee_id))
  const change = (before: number, after: number) =>
    before === after ? amount(after, unit) : t('change', { before: amount(before, unit), after: amount(after, unit) })
  return (
    <Table.ScrollContainer minWidth={520} type="native">
      <Table aria-label={t('effects')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('person')}</Table.Th>
            <Table.Th>{t('year')}</Table.Th>
            <Table.Th ta="end">{t('carriedOver')}</Table.Th>
            <Table.Th ta="end">{t('leave')}</Table.Th>
            <Table.Th ta="end">{t('balance')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((one) => {
            const person = people.get(one.employee_id)
            return (
              <Table.Tr key={`${one.employee_id} ${one.year}`}>
                <Table.Td>{person ? nameOf(person) : `#${one.employee_id}`}</Table.Td>
                <Table.Td>{one.year}</Table.Td>
                <Table.Td ta="end">{change(one.carried_over_before, one.carried_over_after)}</Table.Td>
                <Table.Td ta="end">{change(one.entitled_before, one.entitled_after)}</Table.Td>
                <Table.Td ta="end">{change(one.balance_before, one.balance_after)}</Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
