import { plainOwned } from '../../engine/derive.ts'
import { choice, currency, date, decimal, longText, reference } from '../../engine/field.ts'
import { knownAt } from '../../engine/known-at.ts'
import type { Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder, inUnitsOf } from '../../engine/rule.ts'
import { tablesIn } from '../../engine/shape.ts'
import { compensationTypes, idAndName } from '../organisation/names.ts'
import { announcedInTime, plannedFrom } from './planned-changes.ts'

const compensationTypeName = idAndName(compensationTypes)
const group = 'compensation'

export const additionalCompensations = resource(
  {
    table: 'additional_compensations',
    one: 'additional compensation',
    area: 'employees',
    path: '/employees/{employee_id}/additional_compensations',
    group,
    heldBack: plannedFrom('starts_on'),
  },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    type: choice(['fixed', 'reoccurring'], { required: true, group, example: 'reoccurring' }),
    description: longText({ group, example: 'Car allowance' }),
    amount: decimal({ required: true, min: 0, money: true, group, example: '250.0' }),
    currency_code: currency({ required: true, group }),
    starts_on: date({ required: true, example: '2024-02-01' }),
    announced_on: date({
      note: 'Date from which the employee can see the payment in advance; by default its first day',
    }),
    ends_on: date({ note: 'Last day for the type `reoccurring`; null if no end is known', example: '2025-01-31' }),
    frequency: choice(['daily', 'monthly', 'quarterly', 'half_yearly', 'yearly'], {
      group,
      note: 'How often the amount is paid; required for the type `reoccurring`',
      example: 'monthly',
    }),
    compensation_type_id: reference('compensation_types', { required: true, show: () => compensationTypeName, group }),
  },
)

const onlyReoccurringOnesHaveAFrequency: Rule<typeof additionalCompensations> = ({ changes, after, fail }) => {
  if (after.type === 'reoccurring' && after.frequency === null)
    fail('frequency', 'required', 'is required when type is reoccurring')
  const isFixedNow = after.type === 'fixed' && (changes.type ?? changes.frequency) !== undefined
  if (isFixedNow && after.frequency !== null)
    fail('frequency', 'not_allowed', 'can be set only when type is reoccurring')
  if (after.type === 'fixed' && after.ends_on !== null)
    fail('ends_on', 'not_allowed', 'can be set only when type is reoccurring')
}

export const additionalCompensationOperations = plainOwned(
  additionalCompensations,
  [
    onlyReoccurringOnesHaveAFrequency,
    inOrder('starts_on', 'ends_on'),
    announcedInTime('starts_on'),
    inUnitsOf('amount', 'currency_code'),
  ],
  { known_at: knownAt(() => ['employees', ...tablesIn(additionalCompensations.whole)]) },
)
