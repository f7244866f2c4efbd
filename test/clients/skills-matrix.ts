export const LEVELS = ['interested', 'basic', 'proficient', 'expert']

/** Who can do what: a row a person, a column a skill. */
export function skillsMatrix(base: string, key: string) {
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { 'X-API-KEY': key, ...(body ? { 'Content-Type': 'application/json' } : {}) }
    const answer = await fetch(`${base}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    const result: any = answer.status === 204 ? {} : await answer.json()
    if (!answer.ok) throw new Error(`${path}: ${result.message}`)
    return result.data
  }
  return {
    async read(people: number[]) {
      const rows = new Map<number, Record<string, string>>()
      for (const id of people) {
        const held: any[] = await call('GET', `/employees/${id}/skills`)
        rows.set(id, Object.fromEntries(held.map(({ skill, level }) => [skill.name, level])))
      }
      return rows
    },
    addSkill: (name: string) => call('POST', '/skills', { name }),
    /** Sets a cell of the matrix, whether there is something in it or not. */
    async set(person: number, skillId: number, level: string | null) {
      const held: any[] = await call('GET', `/employees/${person}/skills`)
      const own = held.find(({ skill }) => skill.id === skillId)
      if (level === null) return own && call('DELETE', `/employees/${person}/skills/${own.id}`)
      if (own) return call('PUT', `/employees/${person}/skills/${own.id}`, { level })
      return call('POST', `/employees/${person}/skills`, { skill_id: skillId, level })
    },
  }
}
