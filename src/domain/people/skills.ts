import Type from 'typebox'
import { plain, plainOwned } from '../../engine/derive.ts'
import { choice, reference } from '../../engine/field.ts'
import { type Filter, having, IDS } from '../../engine/filter.ts'
import { requirePermission } from '../../engine/permission.ts'
import type { Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { idAndName, named } from '../organisation/names.ts'

/** What people can do, and how well. */

/** From the least to the most. */
const LEVELS = ['interested', 'basic', 'proficient', 'expert'] as const

export const skills = named('skills', 'skill', 'Welding', 'skills')

export const employeeSkills = resource(
  { table: 'employee_skills', one: 'employee skill', area: 'skills', path: '/employees/{employee_id}/skills' },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    level: choice(LEVELS, {
      required: true,
      note: 'How well the employee has the skill',
    }),
    skill_id: reference('skills', { required: true, show: () => idAndName(skills) }),
  },
)

const onceAPerson: Rule<typeof employeeSkills> = async ({ db, changes, after, fail }) => {
  if (!changes.skill_id) return
  const duplicate = await db
    .from('employee_skills')
    .select('id')
    .where('employee_id', '=', after.employee_id)
    .where('skill_id', '=', changes.skill_id)
    .executeTakeFirst()
  if (duplicate && duplicate.id !== after.id) fail('skill_id', 'taken', 'is already a skill of this employee')
}

/** Employees with a skill among some, at a level or higher. */
function havingSkill(query: Query, db: Reader, ids: readonly number[], level: (typeof LEVELS)[number] | undefined) {
  // Whoever may not read who can do what cannot ask about it either.
  requirePermission(db.caller, 'skills:read')
  let able = db.from('employee_skills')
  if (ids.length > 0) able = able.where('skill_id', 'in', ids)
  if (level) able = able.where('level', 'in', LEVELS.slice(LEVELS.indexOf(level)))
  return having(query, db, 'employees.id', able, 'employee_skills.employee_id')
}

/** Both are about the same skill: together they are one question. */
export const skillFilters: Record<'skill_ids' | 'skill_level', Filter> = {
  skill_ids: {
    schema: {
      ...IDS,
      description: 'Only employees with one of these skills. Also requires the `skills:read` permission',
    },
    indexedColumns: ['employee_skills.skill_id'],
    selfContained: true,
    narrow: (query, ids, db, { skill_level }) => havingSkill(query, db, ids, skill_level),
  },
  skill_level: {
    schema: Type.Unsafe<string>({
      type: 'string',
      enum: [...LEVELS],
      description:
        'Only employees who have this level or a higher one: in one of the skills in `skill_ids`, or in any skill if you do not send `skill_ids`. Also requires the `skills:read` permission',
    }),
    indexedColumns: ['employee_skills.level'],
    selfContained: true,
    narrow: (query, level, db, { skill_ids }) => (skill_ids?.length > 0 ? query : havingSkill(query, db, [], level)),
  },
}

export const skillOperations = [...plain(skills), ...plainOwned(employeeSkills, [onceAPerson])]
