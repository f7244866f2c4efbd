import type { Operation } from '../engine/operation.ts'
import { CHAPTERS, type Chapter, chapterOf, OTHER } from './chapters.ts'
import { attribute, type PageAssets } from './console.ts'
import { type StaticResponse, staticResponse } from './static-response.ts'

type ReferenceInfo = { operations: readonly Operation[]; version: string; base?: string }

/**
 * The page of the API reference. It holds the list of all operations, so that the list is readable before any script
 * has run. The script loads the OpenAPI document and shows one operation at a time. Without a build there is no script:
 * the page then says how to make one.
 */
export function referencePage(
  { operations, version, base = '' }: ReferenceInfo,
  made: PageAssets | undefined,
): StaticResponse {
  return staticResponse(
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="cadre-base" content="${attribute(base)}">
<title>Cadre API reference</title>
<link rel="icon" href="${base}/favicon.svg">
${made ? assets(made, base) : ''}
</head>
<body>
<header class="page-header">
<a class="skip" href="#content">Skip to content</a>
<button type="button" id="menu" aria-expanded="false" aria-controls="operations">Menu</button>
<a class="home" href="#">Cadre API <small>${attribute(version)}</small></a>
<input type="search" id="search" placeholder="Search operations" title="Press / to search" aria-label="Search operations" autocomplete="off" spellcheck="false">
</header>
<nav id="operations" class="list" aria-label="Operations">
<div id="results" hidden></div>
<div id="tree">
${listOf(operations)}
</div>
</nav>
<main id="content" tabindex="-1">
${made ? '<noscript>This page needs JavaScript to show an operation.' : NOT_BUILT}
<p>The whole reference as an OpenAPI document: <a href="${base}/openapi.json">openapi.json</a>.</p>
${made ? '</noscript>' : ''}
</main>
</body>
</html>
`,
  )
}

/** The document is asked for at once, not only when the script has come. */
const assets = ({ script, style, preload }: PageAssets, base: string) =>
  [
    `<link rel="stylesheet" href="${base}/bundle/${style}">`,
    `<link rel="preload" href="${base}/openapi.json" as="fetch" crossorigin="anonymous">`,
    ...preload.map((name) => `<link rel="modulepreload" href="${base}/bundle/${name}">`),
    `<script type="module" src="${base}/bundle/${script}"></script>`,
  ].join('\n')

const NOT_BUILT = `<h1>The reference page is not built yet</h1>
<p>Run <code>npm run build</code>, then reload this page. <code>npm start</code> does it by itself.</p>`

function listOf(operations: readonly Operation[]): string {
  const byChapter = Map.groupBy(operations, (one) => chapterOf(one).name)
  const used = [...CHAPTERS, OTHER].filter(({ name }) => byChapter.has(name))
  const chapter = ({ name }: Chapter, index: number) =>
    `<details${index === 0 ? ' open' : ''}><summary>${attribute(name)}</summary><ul>
${(byChapter.get(name) ?? []).map(entry).join('\n')}
</ul></details>`
  return [...Map.groupBy(used, ({ part }) => part)]
    .map(
      ([part, inside]) =>
        `<h2>${attribute(part)}</h2>\n${inside.map((one) => chapter(one, used.indexOf(one))).join('\n')}`,
    )
    .join('\n')
}

const entry = ({ id, method, path, summary }: Operation) =>
  `<li><a href="#${id}" data-path="${attribute(path)}"><b class="${method.toLowerCase()}">${method}</b><span>${attribute(summary)}</span></a></li>`
