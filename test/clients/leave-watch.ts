/** The leave that was asked for in a time, the one that begins first at the top. */
export async function leaveAskedFor(base: string, key: string, after: Date, before: Date): Promise<any[]> {
  const found: any[] = []
  for (let page = 1; ; page++) {
    const [gt, lt] = [after, before].map((at) => Math.floor(at.getTime() / 1000))
    const address = `${base}/leave_requests?created_at[gt]=${gt}&created_at[lt]=${lt}&page=${page}`
    const answer = await fetch(address, { headers: { 'X-API-KEY': key } })
    if (!answer.ok) throw new Error(`Leave: ${answer.status} ${await answer.text()}`)
    const { data, metadata }: any = await answer.json()
    found.push(...data)
    if (page >= metadata.pagination.pages) return found
  }
}
