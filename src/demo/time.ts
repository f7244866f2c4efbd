import type { Company } from './company.ts'

export async function keepTime(company: Company): Promise<void> {
  for (const name of ['Website', 'Mobile app', 'Internal tools']) {
    const project = await company.add('/time/projects', { name, emoji: '📁' })
    await company.send('POST', `/time/projects/${project.id}/project_users`, {
      employee_ids: company.present.slice(0, 40),
    })
  }
  // Two months of working days, four hours in the morning and four after noon, by local time as UTC allows.
  const days = Array.from({ length: 60 }, (_, n) => company.ago(60 - n)).filter(
    (day) => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0,
  )
  for (let from = 0; from < company.present.length; from += 50) {
    const some = company.present.slice(from, from + 50)
    for (const shift of [
      { from: 13, to: 17 },
      { from: 17, to: 20 },
    ])
      await company.send('POST', '/time/timesheet_entries/bulk', {
        data: some.map((employee_id) => ({
          employee_id,
          entries: days.map((day) => ({
            starts_at: `${day}T${shift.from}:00:00Z`,
            ends_at: `${day}T${shift.to}:00:00Z`,
            project_id: company.all('/time/projects')[employee_id % 3],
          })),
        })),
      })
  }
}
