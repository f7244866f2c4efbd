import { createHash } from 'node:crypto'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

const CONFIGURATION = {
  url: '/openapi.json',
  pageTitle: 'Cadre API',
  favicon: '/favicon.svg',
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

let taken: Promise<ReferencePage> | undefined

/**
 * The page of the reference and its script, as their package makes them. Taken from it once, so that we say how they
 * are cached, compressed and guarded.
 */
export function referencePage(): Promise<ReferencePage> {
  taken ??= takePage()
  return taken
}

async function takePage(): Promise<ReferencePage> {
  const maker = Fastify()
  await maker.register(reference, { routePrefix: '/docs', configuration: CONFIGURATION })
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
