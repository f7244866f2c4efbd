import sanitize from 'sanitize-html'

const TAGS = [...sanitize.defaults.allowedTags.filter((tag) => tag !== 'iframe'), 'u', 's']

const ALLOWED: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { a: ['href', 'title'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
}

/** HTML without anything that runs or loads. */
export const cleanHtml = (html: string) => sanitize(html, ALLOWED)

const ATTRIBUTES = String.raw`(?:\s+[a-z][\w:-]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))*\s*`
/** An element that has an end is known by it: `a<b>c` and `a<b and c>d` compare. */
const TAG = new RegExp(`</(?:${TAGS.join('|')})\\s*>|<(?:br|hr|wbr|p|li|dt|dd|tr|td|th)${ATTRIBUTES}/?>`, 'gi')

/** The tags in a text that make HTML of it: those that cleaning leaves, or their ends. */
export const tagsIn = (text: string): string[] => text.match(TAG) ?? []

/** What stands on lines of its own. */
const BLOCKS =
  `address article aside blockquote caption dd div dl dt figcaption figure footer h[1-6] header hgroup hr li
  main menu nav ol p pre section table tbody tfoot thead tr ul`.replace(/\s+/g, '|')
const BLOCK = new RegExp(`</?(?:${BLOCKS})\\b[^>]*>`, 'gi')

/** The text of cleaned HTML, with its lines; cells stand beside each other. */
export function textOf(html: string): string {
  const lines = html
    .replace(/\r\n?/g, '\n')
    .replace(BLOCK, '$&\r')
    .replace(/<br\b[^>]*>/gi, '$&\n')
    .replace(/<\/t[dh]>/gi, '$& ')
  const text = sanitize(lines, { allowedTags: [], allowedAttributes: {} })
    .split('\r')
    .map((block) => block.trim())
    .filter(Boolean)
    .join('\n')
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
