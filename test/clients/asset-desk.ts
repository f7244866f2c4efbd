/** The desk where things are handed out and taken back. */
export function assetDesk(base: string, key: string) {
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { 'X-API-KEY': key, ...(body ? { 'Content-Type': 'application/json' } : {}) }
    const answer = await fetch(`${base}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    const result: any = await answer.json()
    if (!answer.ok) throw new Error(result.message)
    return result.data
  }
  return {
    buy: async (name: string, code: string) => {
      const category = await call('POST', '/asset_categories', { name: `${name}s`, icon: 'fas fa-laptop' })
      const [location] = await call('GET', '/locations')
      return call('POST', '/assets', { name, code, asset_category_id: category.id, location_id: location.id })
    },
    issue: (asset_id: number, user_id: number, issued_on: string) =>
      call('POST', '/asset_assignments', { asset_id, user_id, issued_on }),
    takeBack: (id: number, returned_on: string) => call('PUT', `/asset_assignments/${id}`, { returned_on }),
    /** Who has had it, by its card. */
    history: async (id: number) => (await call('GET', `/assets/${id}`)).asset_assignments,
    heldBy: (employeeId: number) => call('GET', `/employees/${employeeId}/assets`),
  }
}
