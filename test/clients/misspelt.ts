/** Asks with a filter that may be misspelt, and tells what the service made of it. */
export async function ask(base: string, key: string, path: string, filter: string) {
  const answer = await fetch(`${base}${path}?${encodeURIComponent(filter)}=3`, { headers: { 'X-API-KEY': key } })
  const { message, data }: any = await answer.json()
  return { status: answer.status, message, data, ignored: answer.headers.get('Cadre-Ignored')?.split(', ') ?? [] }
}
