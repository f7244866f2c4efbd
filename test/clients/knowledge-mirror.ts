/** A copy of the knowledge base for another page: what stands where, in which order. */
export async function mirrorKnowledge(base: string, key: string): Promise<Map<string, any[]>> {
  const get = async (path: string) => {
    const answer = await fetch(`${base}${path}`, { headers: { 'X-API-KEY': key } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as Promise<any>
  }
  const all = async (path: string) => {
    const first = await get(`${path}?page=1`)
    const records: any[] = first.data
    for (let page = 2; page <= first.metadata.pages; page++) records.push(...(await get(`${path}?page=${page}`)).data)
    return records.toSorted((one, other) => one.position - other.position)
  }
  const copy = new Map<string, any[]>()
  for (const category of await all('/knowledge_base/categories')) {
    const articles: any[] = []
    for (const { id } of await all(`/knowledge_base/categories/${category.id}/articles`))
      articles.push((await get(`/knowledge_base/articles/${id}`)).data)
    copy.set(category.name, articles)
  }
  return copy
}
