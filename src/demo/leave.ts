import { daysAfter } from '../engine/day.ts'
import type { Company } from './company.ts'

export async function takeLeave(company: Company): Promise<void> {
  const vacation = await company.add('/leave_types', { name: 'Vacation', hex_color: '#2e7d32' })
  const sick = await company.add('/leave_types', { name: 'Sick leave', hex_color: '#c62828' })
  const policy = await company.add('/leave_policies', {
    name: '30 days a year',
    leave_type_id: vacation.id,
    type: 'accrual',
    yearly_amount: 30,
    credit: 'yearly',
    carry_over_limit: 10,
  })
  const illness = await company.add('/leave_policies', {
    name: 'As it happens',
    leave_type_id: sick.id,
    type: 'external',
    visibility: false,
  })
  for (const [n, id] of company.present.entries()) {
    const effective_on = `${Number(company.today.slice(0, 4)) - 1}-01-01`
    await company.add(`/employees/${id}/leave_types`, {
      leave_type_id: vacation.id,
      leave_type_policy_id: policy.id,
      effective_on,
    })
    if (n % 3 === 0)
      await company.add(`/employees/${id}/leave_types`, {
        leave_type_id: sick.id,
        leave_type_policy_id: illness.id,
        effective_on,
      })
    if (n % 2 === 0) await take(company, id, vacation.id, -200 + (n % 150), 10, true)
    if (n % 9 === 0) await take(company, id, vacation.id, 5 + (n % 60), 6, false)
    if (n % 3 === 0 && n % 4 === 0) await take(company, id, sick.id, -20 + (n % 10), 2, true)
  }
  await company.add('/leave_adjustments', {
    employee_id: company.present[0],
    leave_type_id: vacation.id,
    occurred_on: company.today,
    amount: 1,
    description: 'For the move',
  })
}

async function take(
  company: Company,
  employee_id: number,
  leave_type_id: number,
  from: number,
  days: number,
  skip_approval: boolean,
): Promise<void> {
  const starts_on = daysAfter(company.today, from)
  const ends_on = daysAfter(starts_on, days)
  // Some were not hired yet on those days; the service says so, and they just do not go.
  await company.attempt('POST', '/leave_requests', { employee_id, leave_type_id, starts_on, ends_on, skip_approval })
}
