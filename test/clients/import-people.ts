/** What the importer reads from an answer: it stops when one of these is not there. Null is an answer, too. */
const EMPLOYEE =
  'id status access full_name first_name middle_name last_name avatar_url email personal_email date_of_birth hired_on ' +
  'probation_ends_on gender position job_level location employment_type division department reporting_to ' +
  'direct_reports termination_effective_on termination_comment termination_eligible_for_rehire termination_type ' +
  'termination_reason fields created_at updated_at'

/** Which of the columns are fields of a person, custom ones among them; the others are of the job and the pay. */
const OF_PERSON = ['employee_number', 'first_name', 'last_name', 'email', 'hired_on', 'gender', 'tax_number']

/**
 * Brings people over from another system, a line each. Cells that look like numbers are sent as numbers, as spreadsheets
 * give them, whatever the field is.
 */
export async function importPeople(base: string, key: string, csv: string): Promise<any[]> {
  const post = async (path: string, body: unknown) => {
    const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' }
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const result: any = await answer.json()
    if (!answer.ok) throw new Error(`${path}: ${result.message}`)
    return result.data
  }
  const [head = '', ...lines] = csv.trim().split('\n')
  const columns = head.split(',')
  const imported: any[] = []
  for (const line of lines) {
    const cells = line.split(',').map((cell) => (/^\d+$/.test(cell) ? Number(cell) : cell))
    const row: Record<string, any> = Object.fromEntries(columns.map((column, n) => [column, cells[n]]))
    const person = await post('/employees', Object.fromEntries(OF_PERSON.map((name) => [name, row[name]])))
    for (const name of EMPLOYEE.split(' '))
      if (person[name] === undefined) throw new Error(`The answer for ${row.last_name} has no ${name}`)
    const { hired_on, amount, currency_code, per, position_id, department_id, location_id, employment_type_id } = row
    const job = { effective_from: hired_on, position_id, department_id, location_id }
    await post(`/employees/${person.id}/positions`, job)
    await post(`/employees/${person.id}/employment_statuses`, { effective_from: hired_on, employment_type_id })
    await post(`/employees/${person.id}/salaries`, { effective_on: hired_on, amount, currency_code, per })
    imported.push(person)
  }
  return imported
}
