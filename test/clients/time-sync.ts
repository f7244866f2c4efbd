export type Shift = { employee_id: number; starts_at: Date; ends_at: Date; project_id?: number }

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

async function send(base: string, key: string, path: string, body: unknown): Promise<any> {
  const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' }
  const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const result: any = await answer.json()
  // Whatever stands under `errors` is a failure, be it of the whole request or of a single line.
  if (!answer.ok || 'errors' in result) throw new Error(`${path}: ${JSON.stringify(result.errors)}`)
  return result.records
}

/** Hands over the shifts of a time clock, fifty people at a time, and tells how many were taken. */
export async function syncShifts(base: string, key: string, shifts: Shift[]): Promise<number> {
  const people = [...Map.groupBy(shifts, (shift) => shift.employee_id)]
  let taken = 0
  for (let from = 0; from < people.length; from += 50) {
    const data = people.slice(from, from + 50).map(([employee_id, own]) => ({
      employee_id,
      entries: own.map(({ starts_at, ends_at, project_id }) => ({
        starts_at: seconds(starts_at),
        ends_at: seconds(ends_at),
        ...(project_id ? { project_id } : {}),
      })),
    }))
    const { count } = await send(base, key, '/time/timesheet_entries/bulk', { data })
    taken += Number(count)
  }
  return taken
}

/** Puts people on a project. */
export async function staffProject(base: string, key: string, projectId: number, employee_ids: number[]) {
  const { data } = await send(base, key, `/time/projects/${projectId}/project_users`, { employee_ids })
  return data as { employee_id: number; project_user_id: number }[]
}
