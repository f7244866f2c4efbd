import { BASE } from './client.ts'

/** Has a newer version replaced the one that this page belongs to? Its files are gone then. */
export async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src.split('/').at(-1)
  try {
    const answer = await fetch(`${BASE}/`, { headers: { accept: 'text/html' }, cache: 'no-store' })
    return answer.ok && own !== undefined && !(await answer.text()).includes(own)
  } catch {
    return false
  }
}
