import { createHash } from 'node:crypto'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

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

export type ReferencePage = { html: (scriptAddress: string) => string; script: string }

const taken = new Map<string, Promise<ReferencePage>>()

/**
 * The page of the reference and its script, as their package makes them for a service below this path. Taken from it
 * once, so that we say how they are cached, compressed and guarded.
 */
export function referencePage(base: string): Promise<ReferencePage> {
  const known = taken.get(base) ?? takePage(base)
  taken.set(base, known)
  return known
}

async function takePage(base: string): Promise<ReferencePage> {
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
  return {
    html: (address) => page.replace('"js/scalar.js"', `"${address}"`).replace('<html>', '<html lang="en">'),
    script,
  }
}

/** The scripts that stand in a page, as its policy names them: whatever else gets into it is not run. */
export const inlineScripts = (html: string) =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
