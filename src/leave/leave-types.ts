import { plain } from '../engine/derive.ts'
import { asNumber, boolean, choice, decimal, reference, text } from '../engine/field.ts'
import type { Rule } from '../engine/records.ts'
import { card, resource } from '../engine/resource.ts'

/** Kinds of leave, and the policies by which each is granted. */

const area = 'leave'

export const leaveTypes = resource(
  { table: 'leave_types', one: 'leave type', area },
  {
    name: text({ required: true, unique: true, example: 'Volunteering' }),
    unit: choice(['days', 'hours'], { default: 'days' }),
    hex_color: text({ max: 9, example: '#2e7d32' }),
    fa_class: text({ max: 64, example: 'fas fa-hand-holding-heart' }),
  },
)

export const leavePolicies = resource(
  { table: 'leave_policies', one: 'leave policy', area },
  {
    name: text({ required: true, unique: true, example: '24 days a year' }),
    leave_type_id: reference('leave_types', { required: true }),
    type: choice(['accrual', 'manual', 'external'], { default: 'manual', example: 'accrual' }),
    activity_type: choice(['not_working_paid', 'not_working_unpaid', 'working_paid'], { default: 'not_working_paid' }),
    counted_as: choice(['working_days', 'calendar_days'], { default: 'working_days' }),
    visibility: boolean({ default: true, note: 'Others see which kind of leave it is' }),
    yearly_amount: asNumber(decimal({ min: 0, max: 10_000, note: 'Needed for accrual', example: '24' })),
    credit: choice(['monthly', 'yearly'], { note: 'Needed for accrual', example: 'monthly' }),
    carry_over_limit: asNumber(
      decimal({ min: 0, max: 10_000, note: 'What is kept at the turn of a year; all when null', example: '5' }),
    ),
    floor: asNumber(
      decimal({
        min: -10_000,
        max: 0,
        default: 0,
        note: 'The lowest balance that a request may lead to',
        example: '0',
      }),
    ),
  },
)

const accrualIsWhole: Rule<typeof leavePolicies> = ({ after, fail }) => {
  if (after.type !== 'accrual') return
  if (after.yearly_amount === null) fail('yearly_amount', 'required', 'is required for accrual')
  if (after.credit === null) fail('credit', 'required', 'is required for accrual')
}

export const policyShort = card(leavePolicies, 'LeavePolicyShort', ['name', 'visibility', 'activity_type'])

export const leaveTypeOperations = [...plain(leaveTypes), ...plain(leavePolicies, { rules: [accrualIsWhole] })]
