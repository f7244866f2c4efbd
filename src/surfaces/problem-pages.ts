import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { notFound, type ProblemCode } from '../engine/problem.ts'
import { preferredType, vary } from './http/headers.ts'
import { FIELD_CODES, PROBLEMS } from './http/problem-document.ts'
import { type StaticResponse, sendStatic, staticResponse } from './static-response.ts'

const CODES = Object.keys(PROBLEMS) as ProblemCode[]

/** `/problems/<code>`, where the `type` of a problem leads: a page for people, the same as JSON for programs. */
export function serveProblemPages(app: FastifyInstance, base: string): void {
  const list = { html: page('Error codes', index(base), base), json: json({ data: CODES.map(recordOf) }) }
  const each = new Map(
    CODES.map((code) => [
      code as string,
      { html: page(PROBLEMS[code].title, explained(code), base), json: json({ data: recordOf(code) }) },
    ]),
  )
  app.get<{ Params: { code?: string } }>('/problems/:code?', (request, reply) => {
    const { code } = request.params
    const found = code ? each.get(code) : list
    if (!found) throw notFound()
    vary(reply, 'Accept')
    return sendStatic(request, reply, preferredType(request, TYPES) === 'text/html' ? found.html : found.json)
  })
}

/** Only who says that they like a page better gets one: browsers do. */
const TYPES = ['application/json', 'text/html'] as const

const json = (value: unknown): StaticResponse =>
  staticResponse('application/json; charset=utf-8', JSON.stringify(value))

const recordOf = (code: ProblemCode) => ({
  type: `/problems/${code}`,
  code,
  ...PROBLEMS[code],
  ...(hasFields(code) ? { errors: FIELD_CODES } : {}),
})

const hasFields = (code: ProblemCode) => code === 'validation_failed' || code === 'malformed'

const index = (base: string) =>
  rows(CODES.map((code) => [`<a href="${base}/problems/${code}"><code>${code}</code></a>`, PROBLEMS[code].title]))

function explained(code: ProblemCode): string {
  const { status, meaning, remedy } = PROBLEMS[code]
  const fields = Object.entries(FIELD_CODES).map(([name, text]) => [`<code>${name}</code>`, marked(text)])
  return [
    `<p><code>${code}</code>, HTTP ${status}</p>`,
    `<h2>What it means</h2><p>${marked(meaning)}</p>`,
    `<h2>What to do</h2><p>${marked(remedy)}</p>`,
    ...(hasFields(code) ? [`<h2>Field codes in <code>errors</code></h2>${rows(fields)}`] : []),
  ].join('\n')
}

const rows = (all: string[][]) =>
  `<table>${all.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}</table>`

/** Names of headers, fields and types stand out. */
const marked = (text: string) =>
  text
    .replaceAll('`', '')
    .replace(/\b(?:[A-Z][\w]*-[\w-]+|ETag|Allow|[a-z]+\/[\w+-]{4,}|request_id|detail|errors)\b/g, '<code>$&</code>')

const STYLE = `body{font:1rem/1.6 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1.2rem}
h2{font-size:1.05rem;margin:1.6rem 0 .3rem}p{margin:.3rem 0}code{font-size:.92em}
td{padding:.25rem 1rem .25rem 0;vertical-align:top}nav{margin-top:2rem}
:root{color-scheme:light dark}`

/** The style of these pages, as a content policy names it. */
export const PROBLEM_STYLE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

const page = (title: string, content: string, base: string): StaticResponse =>
  staticResponse(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Cadre</title>
<link rel="icon" href="${base}/favicon.svg">
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
${content}
<nav><a href="${base}/problems">All error codes</a> · <a href="${base}/docs">API reference</a></nav>
</body>
</html>
`,
  )
