type Pairs = [string, string | number][]

/** A client that knows nothing but forms, as old frameworks send them. */
export function formClient(base: string, key: string) {
  const call = async (method: string, path: string, pairs?: Pairs) => {
    const body = pairs ? new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])) : null
    const answer = await fetch(`${base}${path}`, { method, body, headers: { 'X-API-KEY': key } })
    const result: any = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${result.message}`)
    return result.data
  }
  return {
    /** A place, with the name of its time zone as Rails lists it. */
    openOffice: (name: string, zone: string) =>
      call('POST', '/locations', [
        ['name', name],
        ['time_zone', zone],
      ]),
    /** Changes are sent with PATCH. */
    change: (path: string, values: Pairs) => call('PATCH', path, values),
    /** Arrays with the places written out. */
    addCandidate: (name: string, skills: string[]) =>
      call('POST', '/recruitment/candidates', [
        ['full_name', name],
        ...skills.map((skill, n): Pairs[number] => [`skills[${n}]`, skill]),
      ]),
    /** Arrays in a query, brackets as they are. */
    people: (ids: number[]) => call('GET', `/employees?${ids.map((id) => `ids[]=${id}`).join('&')}`),
    /** What to make stands in the query, and there is no body. */
    addProbation: (name: string, length: number) =>
      call('POST', `/probation_policies?${new URLSearchParams({ name, length: String(length) })}`),
    changeProbation: (id: number, length: number) => call('PUT', `/probation_policies/${id}?length=${length}`),
  }
}
