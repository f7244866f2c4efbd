/** Tells of the open tasks that are new since the last run: reads newest first and stops at what it has seen. */
export async function newTasks(base: string, key: string, watermark: string): Promise<any[]> {
  const found: any[] = []
  for (let page = 1; ; page++) {
    const answer = await fetch(`${base}/tasks?page=${page}`, { headers: { 'X-API-KEY': key } })
    if (!answer.ok) throw new Error(`Tasks: ${answer.status} ${await answer.text()}`)
    const { data, metadata }: any = await answer.json()
    for (const task of data) {
      if (task.created_at <= watermark) return found
      found.push(task)
    }
    if (page >= metadata.pagination.pages) return found
  }
}
