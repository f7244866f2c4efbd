export type Arguments = { q?: string; email?: string; sort?: string; status?: string }
export type AssistantAnswer = { people: { id: number; name: string; email: string | null }[]; refused: string[] }

/** The tool by which an assistant looks for people. Its arguments are whatever the model thought of. */
export async function findPeople(base: string, key: string, { sort, ...rest }: Arguments): Promise<AssistantAnswer> {
  const look = (order?: string) => {
    const query = new URLSearchParams({ ...rest, per_page: '200', ...(order ? { sort: order } : {}) })
    return fetch(`${base}/employees?${query}`, { headers: { Authorization: `Bearer ${key}` } })
  }
  const refused: string[] = []
  let answer = await look(sort)
  // An order that the service does not know is told back to the model; the people are found without it.
  if (answer.status === 400 && sort) {
    const { message }: any = await answer.json()
    refused.push(message)
    answer = await look()
  }
  const { data, message }: any = await answer.json()
  if (!answer.ok) return { people: [], refused: [...refused, message] }
  return { people: data.map(({ id, full_name, email }: any) => ({ id, name: full_name, email })), refused }
}
