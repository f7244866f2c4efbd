/** How many minutes everybody worked in a time. The entries of a time come in one answer: this asks for no pages. */
export async function minutesWorked(base: string, key: string, starts_on: string, ends_on: string) {
  const query = new URLSearchParams({ starts_on, ends_on, type: 'working' })
  const answer = await fetch(`${base}/time/timesheet_entries?${query}`, { headers: { 'X-API-KEY': key } })
  if (!answer.ok) throw new Error(`Time: ${answer.status} ${await answer.text()}`)
  const { data }: any = await answer.json()
  const sums = new Map<number, number>()
  for (const { employee_id, minutes } of data) sums.set(employee_id, (sums.get(employee_id) ?? 0) + minutes)
  return sums
}
