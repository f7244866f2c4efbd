import sanitize from 'sanitize-html'

const ALLOWED: sanitize.IOptions = {
  allowedTags: [...sanitize.defaults.allowedTags.filter((tag) => tag !== 'iframe'), 'u', 's'],
  allowedAttributes: { a: ['href', 'title'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
}

/** HTML without anything that runs or loads. */
export const cleanHtml = (html: string) => sanitize(html, ALLOWED)

/** The text of HTML, with its lines. */
export function textOf(html: string): string {
  const lines = html.replace(/<(br|\/p|\/div|\/li|\/h[1-6]|\/tr)\b[^>]*>/gi, '$&\n')
  const text = sanitize(lines, { allowedTags: [], allowedAttributes: {} })
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
