import assert from 'node:assert/strict'
import { operations } from '../src/operations.ts'

/** Every list of the demo company has something in it: whoever looks around finds no empty screen. */
export async function everyListHasRecords(
  get: (path: string) => Promise<any>,
  leaves: any[],
  year: string,
  without: readonly string[],
): Promise<void> {
  const lists = operations.filter(
    ({ method, path, answer }) =>
      method === 'GET' &&
      (answer?.properties as any)?.data?.type === 'array' &&
      !path.endsWith('/history') &&
      // Nobody has signed in, or tried to, in a company that is just told.
      !/^\/(me|users\/.*(sessions|identities)|failed_sign_ins|identity_providers)/.test(path) &&
      // The policies of the demo company pay out no leave.
      path !== '/leave_payouts' &&
      !without.includes(path),
  )
  assert.ok(lists.length > 50)
  const parents: Record<string, number | string> = {
    id: 1,
    working_pattern_id: 1,
    employee_id: 1,
    candidate_id: 1,
    vacancy_id: 1,
    key_performance_indicator_id: 1,
    project_id: 1,
    review_cycle_id: 1,
    review_id: 1,
    leave_policy_id: 1,
    asset_id: 1,
    category_id: 1,
    leave_request_id: leaves.find(({ attachments }) => attachments.length > 0).id,
    employee_field_id: 'shirt_size',
    employee_table_id: 'equipment_sizes',
    employee_table_column_id: 'jacket',
    candidate_field_id: 'notice_period',
    vacancy_field_id: 'seniority',
  }
  const empty: string[] = []
  for (const { id, path, query: asks } of lists) {
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => String(parents[name]))
    const query =
      id === 'listAnniversaries' || id === 'listBirthdays'
        ? `?date[gte]=${year}-01-01&date[lte]=${year}-12-31`
        : id === 'listEmployeeHolidays'
          ? `?starts_on=${year}-01-01&ends_on=${year}-12-31`
          : id === 'search'
            ? '?q=a'
            : // How many there are depends on the day, and beyond a few thousand a page has to be named.
              asks?.properties.page
              ? '?page=1'
              : ''
    if ((await get(place + query)).data.length === 0) empty.push(`${id} ${place}`)
  }
  assert.deepEqual(empty, [], 'These lists of the demo company are empty: add records in src/demo')
}
