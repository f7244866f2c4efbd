import { Badge } from '@mantine/core'
import type { EmployeeRow } from '../../client/operations.ts'
import { nameOf, PersonLine } from '../../parts/person.tsx'
import type { Column } from '../../parts/table.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName, useValueName } from '../../texts/names.ts'
import { peopleTexts } from './texts.ts'

/** All available columns, in order. The first is always shown. */

export const USUAL = ['full_name', 'position', 'department', 'location', 'status', 'hired_on']

const COLOURS = { hired: 'blue', probation: 'yellow', employed: 'cadre', terminated: 'gray' }

type Stage = Pick<EmployeeRow, 'status' | 'hired_on' | 'termination_effective_on'>

/** The employment status in words, with the day for people who have not started yet or who are leaving. */
export function useStage(): (of: Stage) => { text: string; color: string } {
  const t = useTexts(peopleTexts)
  const valueName = useValueName()
  const { day } = useFormats()
  return ({ status, hired_on, termination_effective_on: leaves }) => {
    if (status === 'hired') return { text: t('startsOn', { day: day(hired_on) }), color: COLOURS.hired }
    // The service only returns a future date to users who may see it.
    if (leaves && leaves > today() && status !== 'terminated')
      return { text: t('leavesOn', { day: day(leaves) }), color: 'orange' }
    return { text: valueName(status), color: COLOURS[status] }
  }
}

export function StatusBadge({ of }: { of: Stage }) {
  const { text, color } = useStage()(of)
  return <Badge color={color}>{text}</Badge>
}

export function useColumns(): Column<EmployeeRow>[] {
  const t = useTexts(peopleTexts)
  const name = useFieldName()
  const stage = useStage()
  const { day } = useFormats()
  const named = (
    key: 'position' | 'department' | 'location' | 'division' | 'job_level' | 'employment_type' | 'legal_entity',
  ): Column<EmployeeRow> => ({
    key,
    title: name(key),
    isMinor: true,
    ...(key === 'position' ? { width: 'minmax(140px, 1.4fr)' } : {}),
    show: (row) => row[key]?.name ?? '',
  })
  const plain = (
    key: 'employee_number' | 'email' | 'work_phone_number' | 'mobile_number',
    sort?: string,
  ): Column<EmployeeRow> => ({
    key,
    title: name(key),
    isMinor: true,
    show: (row) => row[key] ?? '',
    ...(sort ? { sort } : {}),
  })
  return [
    {
      key: 'full_name',
      title: name('full_name'),
      sort: 'last_name',
      width: 'minmax(180px, 1.4fr)',
      show: (row) => <PersonLine of={row} />,
      showOnPhone: (row) => (
        <PersonLine
          of={row}
          beneath={[row.position?.name ?? row.department?.name, stage(row).text].filter(Boolean).join(' · ')}
        />
      ),
    },
    plain('employee_number', 'employee_number'),
    named('position'),
    named('department'),
    named('location'),
    named('division'),
    named('job_level'),
    named('employment_type'),
    named('legal_entity'),
    {
      key: 'reporting_to',
      title: name('reporting_to'),
      isMinor: true,
      show: ({ reporting_to }) => (reporting_to ? nameOf(reporting_to) : ''),
    },
    {
      key: 'status',
      title: name('status'),
      width: '170px',
      isMinor: true,
      show: (row) => <StatusBadge of={row} />,
    },
    plain('email', 'email'),
    plain('work_phone_number'),
    plain('mobile_number'),
    {
      key: 'hired_on',
      title: name('hired_on'),
      sort: 'hired_on',
      width: '150px',
      isMinor: true,
      show: ({ hired_on }) => day(hired_on),
    },
    {
      key: 'probation_ends_on',
      title: name('probation_ends_on'),
      isMinor: true,
      width: '150px',
      show: ({ probation_ends_on }) => day(probation_ends_on),
    },
    {
      key: 'termination_effective_on',
      title: t('leaving'),
      isMinor: true,
      width: '150px',
      show: ({ termination_effective_on }) => day(termination_effective_on),
    },
  ]
}
