import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { FOREVER, hashOf, type Still, still } from './still.ts'

const CONFIGURATION = {
  pageTitle: 'Cadre API',
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  telemetry: false,
  theme: 'default',
  // A key that was entered is there again after a reload.
  persistAuth: true,
  orderSchemaPropertiesBy: 'preserve',
} as const

/** The page, its script and the name of that below /docs, and the scripts that stand in the page, for its policy. */
export type ReferencePage = { page: Still; script: Still; address: string; scripts: string[] }

const taken = new Map<string, Promise<ReferencePage>>()

/**
 * The page of the reference and its script, as their package makes them for a service below this path. Taken from it
 * when somebody first comes, for it is as large as all the rest; and once, so that we say how they are cached, compressed
 * and guarded.
 */
export function referencePage(base: string): Promise<ReferencePage> {
  const known = taken.get(base) ?? takePage(base)
  taken.set(base, known)
  return known
}

async function takePage(base: string): Promise<ReferencePage> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const maker = Fastify()
  const configuration = { ...CONFIGURATION, url: `${base}/openapi.json`, favicon: `${base}/favicon.svg` }
  await maker.register(reference, { routePrefix: '/docs', configuration })
  const take = async (path: string) => {
    const { statusCode, payload } = await maker.inject(path)
    if (statusCode !== 200) throw new Error(`The reference page has no ${path}`)
    return payload
  }
  const page = await take('/docs/')
  const script = await take('/docs/js/scalar.js')
  await maker.close()
  const address = `reference-${hashOf(script)}.js`
  const html = page.replace('"js/scalar.js"', `"${base}/docs/${address}"`).replace('<html>', '<html lang="en">')
  return {
    page: still('text/html; charset=utf-8', html),
    script: still('application/javascript; charset=utf-8', script, FOREVER),
    address,
    scripts: inlineScripts(html),
  }
}

/** The scripts that stand in a page, as its policy names them: whatever else gets into it is not run. */
const inlineScripts = (html: string) =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
