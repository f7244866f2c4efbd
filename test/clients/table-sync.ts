/** Reads and writes the rows of a table of people. Options are sent by their ids, as text, and shown with their values. */
export function tableOf(base: string, key: string, name: string) {
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { 'X-API-KEY': key, ...(body ? { 'Content-Type': 'application/json' } : {}) }
    const answer = await fetch(`${base}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    const result: any = answer.status === 204 ? {} : await answer.json()
    if (!answer.ok) throw new Error(`${path}: ${result.message}`)
    // Some records come inside of `data`, some do not.
    return result.data ?? result
  }
  const place = (person: number) => `/employees/${person}/tables/${name}`
  return {
    columns: (): Promise<any[]> => call('GET', `/employee_tables/${name}/columns`),
    /** The id of an option, which is made when there is none. */
    async option(column: string, value: string): Promise<string> {
      const path = `/employee_tables/${name}/columns/${column}/options`
      const options: any[] = await call('GET', path)
      const { id } = options.find((one) => one.value === value) ?? (await call('POST', path, { value }))
      return String(id)
    },
    rows: async (person: number): Promise<any[]> => (await call('GET', place(person))).rows,
    add: async (person: number, row: Record<string, unknown>) => (await call('POST', `${place(person)}/rows`, row)).id,
    change: (person: number, id: number, row: Record<string, unknown>) =>
      call('PUT', `${place(person)}/rows/${id}`, row),
    remove: (person: number, id: number) => call('DELETE', `${place(person)}/rows/${id}`),
  }
}
