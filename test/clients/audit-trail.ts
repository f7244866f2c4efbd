/** Copies what was done since the last run into another log: reads newest first, and stops at what it has. */
export async function newAudits(base: string, key: string, lastId: string): Promise<any[]> {
  const found: any[] = []
  for (let page = 1; ; page++) {
    const answer = await fetch(`${base}/audits?page=${page}`, { headers: { 'X-API-KEY': key } })
    if (!answer.ok) throw new Error(`Audits: ${answer.status} ${await answer.text()}`)
    const { data, metadata }: any = await answer.json()
    for (const { id, event, record_id, record_type, created_at, employee } of data) {
      if (id === lastId) return found
      found.push({ id, event, record: `${record_type} ${record_id}`, at: created_at, by: employee?.full_name ?? null })
    }
    if (page >= metadata.pagination.pages) return found
  }
}
