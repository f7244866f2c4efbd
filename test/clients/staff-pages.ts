/** Everybody, page by page, with the counters where the running service of this interface has them. */
export async function staffByPagination(base: string, key: string): Promise<any[]> {
  const people: any[] = []
  let page = 0
  let pages: number
  do {
    const answer = await fetch(`${base}/employees?page=${++page}`, { headers: { 'X-API-KEY': key } })
    const { data, metadata }: any = await answer.json()
    people.push(...data)
    pages = metadata.pagination.pages
  } while (page < pages)
  return people
}

/** The same with the counters where its schema has them, and with large pages. */
export async function staffByMetadata(base: string, key: string): Promise<any[]> {
  const people: any[] = []
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ page: String(page), per_page: '200' })
    const answer = await fetch(`${base}/employees?${query}`, { headers: { 'X-API-KEY': key } })
    const { data, metadata }: any = await answer.json()
    people.push(...data)
    if (metadata.items !== data.length) throw new Error(`${metadata.items} were told, ${data.length} came`)
    if (metadata.page === metadata.pages) return people
  }
}
