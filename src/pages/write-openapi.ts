import { writeFileSync } from 'node:fs'
import { apiDocument } from './pages.ts'

/** Writes the committed copy of the document, so that a change of the interface is a visible diff. */
writeFileSync(new URL('../../openapi.json', import.meta.url), `${JSON.stringify(apiDocument(), null, 2)}\n`)
