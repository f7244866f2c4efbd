import Type from 'typebox'
import { FOREVER } from '../../engine/dated.ts'
import { daysAfter } from '../../engine/day.ts'
import { MOST_OWNED, refuseMore } from '../../engine/derive.ts'
import { orNull } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { nameable } from '../../engine/records.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../../engine/schema.ts'
import { fetchShape } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { jobProfiles } from '../organisation/names.ts'
import { requireEmployee } from '../organisation/staff.ts'
import { employeePositions } from './job-entries.ts'
import { changePosition, enterPosition, positionFrom } from './job-history.ts'

/** Which job profiles somebody has had: read from the entries of their positions, and entered there. */

const STRETCH = Type.Object(
  {
    id: Type.Integer({
      description: 'ID of the job entry (`/employees/{employee_id}/positions`) with which the profile began',
    }),
    effective_from: Type.String({ format: 'date' }),
    effective_to: orNull(
      Type.String({
        format: 'date',
        description: 'Last day with this profile, included; null if no end is known',
      }),
    ),
    job_profile: schemaOf(jobProfiles.whole),
  },
  { title: 'EmployeeJobProfile' },
)

type JobProfilePeriod = { id: number; effective_from: string; effective_until: string; job_profile: { id: number } }

/** Entries that follow each other with the same profile are one stretch; entries without one are none. */
async function stretchesOf(db: Reader, employeeId: number) {
  const entries = db.from(employeePositions.table).where('employee_positions.employee_id', '=', employeeId)
  const rows = await fetchShape(db, employeePositions.whole, entries, {
    order: ['effective_from'],
    also: ['effective_until'],
  })
  const stretches: JobProfilePeriod[] = []
  for (const { row, record } of rows) {
    const { id, effective_from, job_profile } = record as JobProfilePeriod
    const { effective_until } = row as JobProfilePeriod
    const last = stretches.at(-1)
    if (!job_profile) continue
    if (last && last.effective_until === effective_from && last.job_profile.id === job_profile.id)
      last.effective_until = effective_until
    else stretches.push({ id, effective_from, effective_until, job_profile })
  }
  return stretches.map(({ effective_until: until, ...rest }) => ({
    ...rest,
    effective_to: until === FOREVER ? null : daysAfter(until, -1),
  }))
}

const one = {
  path: '/employees/{employee_id}/job_profiles',
  area: 'employees',
  params: Type.Object({ employee_id: recordId('employees') }),
}

export const employeeJobProfileOperations = [
  operation(
    {
      ...one,
      id: 'listEmployeeJobProfiles',
      method: 'GET',
      summary: 'List the job profiles of an employee',
      note: 'Past, current and planned job profiles of the employee, oldest first. They come from the job entries; consecutive entries with the same profile appear as one. To change or delete one, change the job entry with `/employees/{employee_id}/positions`.',
      answer: wrappedList(STRETCH),
      indexedColumns: ['employee_positions.employee_id'],
    },
    async ({ db, params }) => {
      await requireEmployee(db, params.employee_id)
      return { body: { data: await stretchesOf(db, params.employee_id) } }
    },
  ),
  operation(
    {
      ...one,
      id: 'createEmployeeJobProfile',
      method: 'POST',
      summary: 'Assign a job profile to an employee',
      note: 'If a job entry begins on `effective_from`, sets its profile. Otherwise creates a job entry that differs from the previous one in the profile only. The profile applies until a later entry sets another one.',
      body: Type.Object(
        {
          job_profile_id: recordId('job_profiles'),
          effective_from: Type.String({ format: 'date', examples: ['2024-03-01'] }),
        },
        { title: 'CreateEmployeeJobProfile' },
      ),
      status: 201,
      answer: wrapped(STRETCH),
      conflicts: `The employee already has ${MOST_OWNED} job entries, the maximum`,
      gathers: true,
    },
    async ({ db, params, body, problems }) => {
      const { employee_id } = params
      await requireEmployee(db, employee_id, nameable)
      const there = await positionFrom(db, employee_id, body.effective_from)
      if (!there) await refuseMore(db, employeePositions, params, MOST_OWNED)
      const id = there
        ? await changePosition(db, there, { job_profile_id: body.job_profile_id }, problems)
        : await enterPosition(db, employee_id, body, problems)
      const day = body.effective_from
      const data = (await stretchesOf(db, employee_id)).findLast(({ effective_from }) => effective_from <= day)
      return { body: { data }, location: `/employees/${employee_id}/positions/${id}` }
    },
  ),
]
