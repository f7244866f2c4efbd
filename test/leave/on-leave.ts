import type { Answer, Service } from '../harness.ts'

/** Long before the policies of `person` begin. */
export const HIRED = { hired_on: '2030-01-01' }

export type OnLeave = { id: number; leave_type_id: number; policyId: number; assigned: any }

/** Approved time entries on so many days in a row, each with so many hours from midnight on. Returns the request that approved them. */
export async function approvedWork(
  service: Service,
  employee_id: number,
  firstDay: string,
  days: number,
  hours: number,
): Promise<string> {
  const entries = Array.from({ length: days }, (_, n) => {
    const starts = Date.parse(firstDay) / 1000 + n * 86_400
    return { starts_at: starts, ends_at: starts + hours * 3600 }
  })
  const made = await service.post('/time/timesheet_entries/bulk', { data: [{ employee_id, entries }] })
  const timesheet_entry_ids = made.body.records?.data.map((one: any) => one.timesheet_entry_id)
  if (timesheet_entry_ids?.length !== days) throw new Error(made.text)
  await service.post('/time/timesheet_entries/submit', { timesheet_entry_ids })
  const approved = await service.post('/time/timesheet_entries/approve', { timesheet_entry_ids })
  if (approved.status !== 200) throw new Error(approved.text)
  return approved.headers.get('x-request-id') as string
}

/** People who have leave, and what tests ask of them. */
export function leaveOf(service: () => Service) {
  let count = 0
  return {
    /** A new employee with a leave type of their own, under a policy of its own from the beginning of 2036. */
    async person(
      policy: Record<string, unknown> = {},
      type: Record<string, unknown> = {},
      employee: Record<string, unknown> = {},
    ): Promise<OnLeave> {
      const { make } = service()
      const leaveType = await make('/leave_types', { name: `Type ${++count}`, ...type })
      const { id: policyId } = await make('/leave_policies', {
        name: `Policy ${count}`,
        leave_type_id: leaveType.id,
        ...policy,
      })
      const { id } = await make('/employees', { first_name: 'P', last_name: `${count}`, ...employee })
      const assigned = await make(`/employees/${id}/leave_types`, {
        leave_type_id: leaveType.id,
        leave_type_policy_id: policyId,
        effective_on: '2036-01-01',
      })
      return { id, leave_type_id: leaveType.id, policyId, assigned }
    },
    ask: (
      who: { id: number; leave_type_id: number },
      starts_on: string,
      ends_on: string,
      more: Record<string, unknown> = {},
    ): Promise<Answer> =>
      service().post('/leave_requests', {
        employee_id: who.id,
        leave_type_id: who.leave_type_id,
        starts_on,
        ends_on,
        ...more,
      }),
    /** Somebody's statement: what moved their balance in a year. */
    movementsOf: async (who: { id: number; leave_type_id: number }, year = 2036): Promise<any[]> => {
      const path = `/employees/${who.id}/leave_balances/${who.leave_type_id}/statement?starts_on=${year}-01-01`
      return (await service().get(path)).body.data.movements
    },
    /** The balance of somebody's first type of leave. */
    balance: async (id: number, day?: string): Promise<number> =>
      (await service().get(`/employees/${id}/leave_balances${day ? `?as_of=${day}` : ''}`)).body.data[0].balance,
    /** The days of a request as they stand: `{'2036-07-01': 1}`. */
    days: async (requestId: number): Promise<Record<string, number>> => {
      const { amount, entries } = (await service().get(`/leave_requests/${requestId}`)).body.data
      const days = Object.fromEntries(entries.map((entry: any) => [entry.date, entry.amount]))
      const sum = Object.values<number>(days).reduce((total, one) => total + one, 0)
      if (Math.abs(sum - amount) > 1e-9) throw new Error(`Request ${requestId} says ${amount}, its days ${sum}`)
      return days
    },
  }
}
