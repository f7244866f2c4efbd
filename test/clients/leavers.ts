/** The figures of a dashboard: who is here, who has left, and how many there were in all. */
export async function leaverFigures(base: string, key: string) {
  const all = async (path: string, query: Record<string, string> = {}) => {
    const people: any[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const address = `${base}${path}?${new URLSearchParams({ ...query, page: String(page) })}`
      const answer = await fetch(address, { headers: { Authorization: `Bearer ${key}` } })
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
      const { data, metadata }: any = await answer.json()
      people.push(...data)
      pages = metadata.pages
    }
    return people
  }
  return {
    // Without a status these are the people who are here: the dashboard counts on it.
    here: await all('/employees'),
    everybody: await all('/employees', { status: 'all' }),
    left: await all('/employees/terminated'),
  }
}
